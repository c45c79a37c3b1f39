//! How much memory this process takes, and how much it may take.
//!
//! Read from `/proc` and the cgroup file system (versions 1 and 2); where these do not exist, nothing is known: the
//! peak is 0 and there is no default limit.

use std::fs;

/// The most memory this process has held so far, in MiB; 0 where that is not known.
pub fn peak_mb() -> f64 {
    status_kib("VmHWM:").map_or(0.0, |kib| kib as f64 / 1024.0)
}

/// The memory this process holds now, in bytes.
pub(crate) fn resident_bytes() -> Option<u64> {
    status_kib("VmRSS:").map(|kib| kib * 1024)
}

/// The default limit: 80 % of what the machine or its cgroup has free, in bytes.
pub fn default_limit() -> Option<u64> {
    free_bytes(&|path| fs::read_to_string(path).ok()).map(|free| free / 10 * 8)
}

fn status_kib(key: &str) -> Option<u64> {
    kib_after(&fs::read_to_string("/proc/self/status").ok()?, key)
}

/// The number after `key` at the start of a line: `VmHWM:    1234 kB`.
fn kib_after(text: &str, key: &str) -> Option<u64> {
    let rest = text.lines().find_map(|line| line.strip_prefix(key))?;
    rest.split_whitespace().next()?.parse().ok()
}

type Read<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The least of what the machine has free and what each enclosing cgroup leaves.
fn free_bytes(read: Read<'_>) -> Option<u64> {
    let machine = read("/proc/meminfo")
        .and_then(|text| kib_after(&text, "MemAvailable:"))
        .map(|kib| kib * 1024);
    let groups = read("/proc/self/cgroup").unwrap_or_default();
    let cgroups = groups.lines().flat_map(|line| group_files(line, read));
    machine.into_iter().chain(cgroups).min()
}

/// What the cgroup of one line of `/proc/self/cgroup`, and each cgroup around it, leaves free.
fn group_files(line: &str, read: Read<'_>) -> Vec<u64> {
    let mut parts = line.splitn(3, ':');
    let (Some(number), Some(controllers), Some(path)) = (parts.next(), parts.next(), parts.next()) else {
        return Vec::new();
    };
    let (mount, limit, usage, reclaimable) = if number == "0" && controllers.is_empty() {
        ("/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file")
    } else if controllers.split(',').any(|c| c == "memory") {
        (
            "/sys/fs/cgroup/memory",
            "memory.limit_in_bytes",
            "memory.usage_in_bytes",
            "total_inactive_file",
        )
    } else {
        return Vec::new();
    };
    let mut free = Vec::new();
    let mut group = path.trim_end_matches('/');
    loop {
        let number = |file: &str| -> Option<u64> {
            // `max` in version 2 is no number: no limit. So is the huge number of version 1, harmlessly.
            read(&format!("{mount}{group}/{file}"))?.trim().parse().ok()
        };
        if let (Some(limit), Some(usage)) = (number(limit), number(usage)) {
            // Pages of files that nobody uses count as used, yet give way.
            let cache = read(&format!("{mount}{group}/memory.stat"))
                .and_then(|text| kib_after(&text, &format!("{reclaimable} ")))
                .unwrap_or(0);
            free.push(limit.saturating_sub(usage.saturating_sub(cache)));
        }
        match group.rfind('/') {
            Some(end) => group = &group[..end],
            None => return free,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn free(files: &[(&str, &str)]) -> Option<u64> {
        free_bytes(&|path| {
            let found = files.iter().find(|(name, _)| *name == path);
            found.map(|(_, text)| (*text).to_owned())
        })
    }

    const MEMINFO: (&str, &str) = ("/proc/meminfo", "MemTotal:  100 kB\nMemAvailable:    1000 kB\n");

    #[test]
    fn the_machine_alone() {
        assert_eq!(free(&[]), None);
        assert_eq!(free(&[MEMINFO]), Some(1000 * 1024));
    }

    #[test]
    fn version_2_takes_the_tightest_group() {
        let files = [
            MEMINFO,
            ("/proc/self/cgroup", "0::/a/b\n"),
            ("/sys/fs/cgroup/a/b/memory.max", "max\n"),
            ("/sys/fs/cgroup/a/b/memory.current", "5\n"),
            ("/sys/fs/cgroup/a/memory.max", "5000\n"),
            ("/sys/fs/cgroup/a/memory.current", "3000\n"),
            (
                "/sys/fs/cgroup/a/memory.stat",
                "anon 1\ninactive_file 1000\nactive_file 7\n",
            ),
        ];
        assert_eq!(free(&files), Some(3000));
    }

    #[test]
    fn version_1_is_read_too() {
        let files = [
            MEMINFO,
            ("/proc/self/cgroup", "7:cpu:/x\n4:memory:/x\n0::/\n"),
            ("/sys/fs/cgroup/memory/x/memory.limit_in_bytes", "4096\n"),
            ("/sys/fs/cgroup/memory/x/memory.usage_in_bytes", "96\n"),
        ];
        assert_eq!(free(&files), Some(4000));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_process_takes_some() {
        assert!(peak_mb() > 0.0);
        assert!(resident_bytes().is_some_and(|bytes| bytes > 0));
    }
}
