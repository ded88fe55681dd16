//! The binary `kaiwa`, built so that it dies at a point on request.

fn main() -> std::process::ExitCode {
    kaiwa::main()
}
