# SPDX-License-Identifier: GPL-2.0
#
# Find a sign of trouble in a guest's kernel log. Prints the number of the
# first such line and the line; prints nothing for a clean log. A splat whose
# first line, or the message before it, matches $RTK_VM_ALLOW is passed over,
# with the call traces that follow within its lines.
#
# KCSAN's reports are no splat by themselves, since the kernel has data races of
# its own; those with a function of our modules anywhere in them are, but for races in
# the fast clocks, which are made to be read while they are written.

BEGIN { allow = ENVIRON["RTK_VM_ALLOW"] }

function bad(s)
{
	return s ~ /Kernel panic/ || s ~ /Oops/ || (s ~ /BUG:/ && s !~ /BUG: KCSAN:/) ||
		s ~ /WARNING: (CPU:|[^ ]+:[0-9]+ at )/ || s ~ /WARNING: (possible|suspicious|bad|inconsistent|nested|Nested|lock)/ ||
		s ~ /INFO: (possible|inconsistent|suspicious|trying to register|SOFTIRQ|HARDIRQ)/ ||
		s ~ /rcu:? ?.*(stall|self-detected)/ || s ~ /soft lockup/ || s ~ /hard LOCKUP/ ||
		s ~ /blocked for more than/ || s ~ /(UBSAN|KASAN|KFENCE|ODEBUG):/ ||
		s ~ /kmemleak: .* new suspected memory leaks/ || s ~ /general protection fault/ ||
		(NR < race_to && s ~ /\[rtk[a-z_]*\]/)
}

/BUG: KCSAN:/ && !/ in ktime_get_[a-z_]*fast_ns/ { race_to = NR + 150 }
/====================/ { race_to = 0 }

{
	if (allow != "" && ($0 ~ allow || (bad($0) && message ~ allow))) {
		quiet_to = NR + 150
		message = ""
	} else if (bad($0)) {
		found = 1
	} else {
		if ($0 ~ /Call Trace:/ && NR > quiet_to)
			found = 1
		message = $0
	}
	if (found) {
		print NR ": " $0
		exit
	}
}
