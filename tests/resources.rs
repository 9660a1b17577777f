//! The binary with too few resources: threads that the system does not give, a reader that has gone, output that cannot be
//! written, input that cannot be read, more threads than processors.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::time::{Duration, Instant};

const RUKH: &str = env!("CARGO_BIN_EXE_rukh");

/// Long enough for a shared machine, and far less than the work that must end.
const PATIENCE: Duration = Duration::from_secs(20);

/// Runs `command` with these lines as its input.
fn run(command: &mut Command, lines: &str) -> Output {
    let spawned = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = spawned.expect("the command can be started");
    // A session that has ended reads nothing.
    let _ = child.stdin.take().expect("it is piped").write_all(lines.as_bytes());
    child.wait_with_output().expect("the command can be awaited")
}

/// Waits for the end of a process, or kills it after some time.
fn wait(child: &mut Child) -> Option<ExitStatus> {
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        if let Some(status) = child.try_wait().expect("the process can be awaited") {
            return Some(status);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    child.kill().expect("the process can be killed");
    let _ = child.wait();
    None
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A single sentence on standard error.
fn is_sentence(stderr: &str) -> bool {
    stderr.starts_with("rukh: ") && stderr.lines().count() == 1
}

#[cfg(unix)]
#[test]
fn a_session_ends_when_its_reader_has_gone() {
    // The last three print nothing that could fail: a count of minutes, a drawn position, and a session that waits.
    for lines in [
        "go infinite\n",
        "go perft 8\n",
        "bench 60\n",
        "position fen 8/8/8/4k3/8/8/8/4K3 w - - 0 1\ngo infinite\n",
        "",
    ] {
        let mut child = Command::new(RUKH)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary can be started");
        let mut input = child.stdin.take().expect("it is piped");
        let mut output = BufReader::new(child.stdout.take().expect("it is piped"));
        input.write_all(format!("isready\n{lines}").as_bytes()).expect("the session reads");
        let mut line = String::new();
        output.read_line(&mut line).expect("the session answers");
        assert_eq!(line, "readyok\n");
        drop(output);
        let status = wait(&mut child);
        assert_eq!(status.and_then(|status| status.code()), Some(0), "{lines:?}");
        drop(input);
    }
}

#[cfg(unix)]
#[test]
fn commands_as_arguments_end_when_their_reader_has_gone() {
    let mut child = Command::new(RUKH)
        .args(["isready", "go perft 8", "quit"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary can be started");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("it is piped")).read_line(&mut line).expect("it answers");
    assert_eq!(wait(&mut child).and_then(|status| status.code()), Some(0));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_and_a_sentence() {
    for arguments in [&["go depth 3", "quit"][..], &["uci"], &[]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
        let mut child = Command::new(RUKH)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(full)
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary can be started");
        let _ = child.stdin.take().expect("it is piped").write_all(b"isready\n");
        let ended = child.wait_with_output().expect("the process can be awaited");
        let stderr = text(&ended.stderr);
        assert_eq!(ended.status.code(), Some(2), "{arguments:?}: {stderr}");
        assert!(is_sentence(&stderr) && stderr.contains("cannot write"), "{arguments:?}: {stderr}");
    }
}

#[cfg(unix)]
#[test]
fn a_folder_as_input_is_an_error_and_a_sentence() {
    let folder = std::fs::File::open(std::env::temp_dir()).expect("there is a folder of temporary files");
    let ended = Command::new(RUKH).stdin(folder).output().expect("the binary can be started");
    let stderr = text(&ended.stderr);
    assert_eq!(ended.status.code(), Some(2), "{stderr}");
    assert!(is_sentence(&stderr) && stderr.contains("cannot read"), "{stderr}");
}

#[test]
fn the_bench_of_a_session_takes_no_more_threads_than_the_option() {
    let ended = run(&mut Command::new(RUKH), "bench 1 20000 16\nisready\n");
    let stdout = text(&ended.stdout);
    assert!(ended.status.success(), "{}", text(&ended.stderr));
    assert!(stdout.contains("info string bench takes at most 1024 threads, not 20000"), "{stdout}");
    let ended = run(&mut Command::new(RUKH), "bench 1 1000 16\n");
    let stdout = text(&ended.stdout);
    assert!(ended.status.success() && stdout.contains(" nps"), "{stdout}{}", text(&ended.stderr));
}

/// Processes of a user with a limit of threads. The limit is that of the user, so the user must be one of the test alone:
/// only root can choose it.
#[cfg(target_os = "linux")]
mod limited {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    use std::path::PathBuf;

    use super::{Command, RUKH, is_sentence, run, text};

    /// A copy of the binary that every user can run.
    fn public_binary(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("rukh-{name}-{}", std::process::id()));
        fs::copy(RUKH, &path).expect("there is room for a copy");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it is ours");
        path
    }

    fn is_root() -> bool {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        status.lines().any(|line| line.starts_with("Uid:\t0\t0"))
    }

    #[test]
    fn work_is_done_with_the_threads_that_the_system_gives() {
        let has_prlimit = Command::new("prlimit").arg("--version").output().is_ok();
        if !is_root() || !has_prlimit {
            println!("skipped: only root can run a process as a user without other processes, with prlimit");
            return;
        }
        let binary = public_binary("session");
        let user = 50_000 + std::process::id() % 10_000;
        let lines = "uci\nsetoption name Threads value 64\nsetoption name Hash value 64\nucinewgame\n\
                     position startpos\ngo nodes 2000\nbench 1 64 16\nisready\n";
        for limit in [1, 2, 3, 4, 5, 6, 7, 40] {
            let mut command = Command::new("prlimit");
            command.arg(format!("--nproc={limit}")).arg(&binary).uid(user).gid(user).current_dir("/");
            let ended = run(&mut command, lines);
            let (stdout, stderr) = (text(&ended.stdout), text(&ended.stderr));
            assert!(!stderr.contains("panicked"), "{limit} threads: {stderr}");
            match limit {
                1 | 2 => assert!(is_sentence(&stderr) && ended.status.code() == Some(2), "{limit}: {stderr}"),
                // The thread that reads may be the one that is missing.
                3 => assert!(ended.status.code().is_some(), "{stderr}"),
                _ => {
                    assert!(stdout.contains("bestmove ") && stdout.contains("readyok"), "{limit}: {stdout}");
                    assert!(stdout.contains("info string 64 threads are set and "), "{limit}: {stdout}");
                    assert!(ended.status.success(), "{limit} threads: {stderr}");
                }
            }
        }
        fs::remove_file(&binary).expect("it is ours");
    }

    #[test]
    fn the_laboratory_works_with_few_threads() {
        if !is_root() || Command::new("prlimit").arg("--version").output().is_err() {
            println!("skipped: only root can run a process as a user without other processes, with prlimit");
            return;
        }
        let binary = public_binary("laboratory");
        let user = 60_000 + std::process::id() % 5_000;
        for limit in [1, 3, 6] {
            for arguments in [
                &["bench", "1", "64"][..],
                &["perft", "4", "--threads", "64"],
                &["ablate", "--only", "killer", "--depth", "2", "--games", "0", "--concurrency", "64"],
            ] {
                let mut command = Command::new("prlimit");
                command.arg(format!("--nproc={limit}")).arg(&binary).args(arguments).uid(user).gid(user);
                let ended = run(command.current_dir("/"), "");
                let stderr = text(&ended.stderr);
                let is_done =
                    ended.status.success() || is_sentence(&stderr) && ended.status.code() == Some(2);
                assert!(is_done && !stderr.contains("panicked"), "{limit}: {arguments:?}: {stderr}");
                assert!(ended.status.success() || limit == 1, "{limit}: {arguments:?}: {stderr}");
            }
        }
        fs::remove_file(&binary).expect("it is ours");
    }
}

/// The greatest value of GUIs: the machine uses as many as it can, and the answer comes in good time.
#[test]
fn many_threads_answer_in_good_time() {
    let answer = || {
        let begun = Instant::now();
        let ended = run(&mut Command::new(RUKH), "setoption name Threads value 1024\ngo movetime 200\n");
        let stdout = text(&ended.stdout);
        assert!(stdout.contains("bestmove "), "{stdout}");
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let is_short = stdout.contains("info string 1024 threads are set and ");
        assert_eq!(is_short, processors < 256, "{stdout}");
        begun.elapsed()
    };
    // On a busy machine one run may be late.
    let taken: Vec<_> = (0..3).map(|_| answer()).collect();
    assert!(taken.iter().any(|taken| *taken < Duration::from_secs(3)), "{taken:?}");
}
