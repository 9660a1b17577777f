//! `rukh serve`: the first line, ports, arguments, and its end.
#![cfg(feature = "web")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Output, Stdio};

fn serve(args: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_rukh"))
        .arg("serve")
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts")
}

/// The first line of the server, without its end.
fn first_line(child: &mut Child) -> String {
    let mut line = String::new();
    let output = child.stdout.as_mut().expect("it is piped");
    BufReader::new(output).read_line(&mut line).expect("there is a line");
    line.trim_end().to_owned()
}

/// Ends the server and returns what it wrote to standard error.
fn end(mut child: Child) -> String {
    child.kill().expect("it runs");
    let output = child.wait_with_output().expect("it ends");
    String::from_utf8(output.stderr).expect("text")
}

fn refusal(args: &[&str]) -> String {
    let Output { status, stderr, .. } = serve(args).wait_with_output().expect("it ends");
    assert_eq!(status.code(), Some(2), "{args:?}");
    String::from_utf8(stderr).expect("text")
}

fn get(address: &str, path: &str) -> String {
    let mut connection = TcpStream::connect(address).expect("it listens");
    write!(connection, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")
        .expect("it reads");
    let mut answer = String::new();
    connection.read_to_string(&mut answer).expect("it answers");
    answer
}

#[test]
fn the_first_line_is_the_address_of_the_page() {
    let mut child = serve(&["--port", "0"]);
    let line = first_line(&mut child);
    let address = line.strip_prefix("http://").and_then(|rest| rest.strip_suffix('/')).expect("an address");
    assert!(address.starts_with("127.0.0.1:"), "{line}");
    let page = get(address, "/");
    assert!(page.starts_with("HTTP/1.1 200 OK") && page.contains("<html"), "{page}");
    assert!(!page.contains("{{token}}"));
    assert_eq!(end(child), "");
}

#[test]
fn a_port_in_use_gives_a_sentence_and_the_next_one() {
    let taken = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
    let port = taken.local_addr().expect("an address").port();
    let mut child = serve(&["--port", &port.to_string()]);
    let line = first_line(&mut child);
    assert!(line.starts_with("http://127.0.0.1:") && !line.contains(&format!(":{port}/")), "{line}");
    let errors = end(child);
    assert!(errors.starts_with(&format!("port {port} is in use; the server uses port ")), "{errors}");
    assert_eq!(errors.lines().count(), 1);
}

#[test]
fn other_machines_need_a_token() {
    assert!(refusal(&["--bind", "0.0.0.0"]).contains("--token"));
    assert!(refusal(&["--bind", "0.0.0.0", "--token", "short"]).contains("16 to 128 letters and digits"));
    assert!(refusal(&["--bind", "everywhere", "--token", "0123456789abcdef"]).contains("everywhere"));
    let mut child = serve(&["--port", "0", "--token", "0123456789abcdef"]);
    let line = first_line(&mut child);
    let address = line.strip_prefix("http://").and_then(|rest| rest.split('/').next()).expect("an address");
    assert!(line.ends_with("/?token=0123456789abcdef"), "{line}");
    assert!(get(address, "/").starts_with("HTTP/1.1 401"));
    assert!(get(address, "/?token=0123456789abcdef").starts_with("HTTP/1.1 200"));
    end(child);
}

#[test]
fn bad_arguments_are_one_sentence() {
    for args in [
        ["--lab", "/no/such/directory"],
        ["--syzygy", "/no/such/directory"],
        ["--eval-file", "/no/such/file"],
        ["--network", "/no/such/file"],
    ] {
        let sentence = refusal(&args);
        assert!(sentence.starts_with("rukh: ") && sentence.lines().count() == 1, "{sentence}");
        assert!(sentence.contains("/no/such"), "{sentence}");
    }
}

#[test]
fn networks_of_the_command_line_are_offered_by_name() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/eval/networks/default.net");
    let token = "0123456789abcdef";
    let mut child = serve(&["--port", "0", "--token", token, "--network", file, "--network", file]);
    let line = first_line(&mut child);
    let address = line.strip_prefix("http://").and_then(|rest| rest.split('/').next()).expect("an address");
    let info = get(address, &format!("/api/info?token={token}"));
    for name in ["network", "classical", "default", "default 2"] {
        assert!(info.contains(&format!("\"name\":\"{name}\"")), "{name}: {info}");
    }
    assert!(!info.contains("default.net"), "the page learns no path");
    end(child);
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_it_cleanly() {
    let mut child = serve(&["--port", "0"]);
    first_line(&mut child);
    let status =
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill is there");
    assert!(status.success());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
}

/// The server survives a panic of one task by unwinding; a profile that aborts would end it, and no test of a dev build notices.
#[test]
fn no_profile_aborts_on_a_panic() {
    let manifest = include_str!("../Cargo.toml");
    assert!(!manifest.lines().any(|line| line.trim_start().starts_with("panic")), "a profile sets panic");
}
