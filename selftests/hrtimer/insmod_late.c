// SPDX-License-Identifier: GPL-2.0
/*
 * insmod_late MODULE.ko PARAMETERS: loads a module whose parameters come late.
 *
 * The kernel decides first whether it takes the file, then copies the parameters,
 * then calls the module. They lie in a page that isn't there yet; this says
 * "admitted" when the kernel asks for it, and supplies it at the end of standard
 * input.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/userfaultfd.h>

#define PAGE	4096

static char contents[PAGE] __attribute__((aligned(PAGE)));

static int open_faults(void *page)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register all = {
		.range = { .start = (unsigned long)page, .len = PAGE },
		.mode = UFFDIO_REGISTER_MODE_MISSING,
	};
	int fd = syscall(SYS_userfaultfd, O_CLOEXEC);

	if (fd < 0 || ioctl(fd, UFFDIO_API, &api) || ioctl(fd, UFFDIO_REGISTER, &all))
		return -1;
	return fd;
}

/* The one fault that there is. */
static void *supply(void *arg)
{
	int fd = *(int *)arg;
	struct uffdio_copy copy = { .src = (unsigned long)contents, .len = PAGE };
	struct uffd_msg msg;
	char c;

	if (read(fd, &msg, sizeof(msg)) != sizeof(msg))
		return NULL;
	puts("admitted");
	fflush(stdout);
	while (read(STDIN_FILENO, &c, 1) > 0)
		;
	copy.dst = msg.arg.pagefault.address & ~(PAGE - 1UL);
	ioctl(fd, UFFDIO_COPY, &copy);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t supplier;
	int module, faults;
	void *page;

	if (argc != 3)
		return 2;
	snprintf(contents, sizeof(contents), "%s", argv[2]);
	page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	module = open(argv[1], O_RDONLY | O_CLOEXEC);
	faults = page == MAP_FAILED ? -1 : open_faults(page);
	if (module < 0 || faults < 0 || pthread_create(&supplier, NULL, supply, &faults)) {
		perror(argv[1]);
		return 2;
	}
	if (syscall(SYS_finit_module, module, page, 0)) {
		puts(strerror(errno));
		return 1;
	}
	puts("loaded");
	return 0;
}
