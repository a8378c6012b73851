"""``treelens server``: the language server, for one editor over standard streams or for several
over a port."""

from __future__ import annotations

from treelens.cli import output


def run(arguments: list[str]) -> int:
    parser = output.Parser(prog="treelens server", description="Start the server.")
    way = parser.add_mutually_exclusive_group()
    way.add_argument("--stdio", action="store_true", help="standard input and output (default)")
    way.add_argument("--tcp", type=int, metavar="PORT", help="listen on a port; 0 picks a free one")
    parser.add_argument(
        "--host",
        default="127.0.0.1",
        help="where --tcp listens; everyone who can connect can read this machine's files",
    )
    options = parser.parse_args(arguments)

    # Late, because it takes a second: --help does not need it, and neither does a wrong option.
    # By name, because the core knows of no server: this command is where the two meet.
    import importlib

    if options.tcp is None:
        begun = importlib.import_module("treelens_server.opening").opened()
        importlib.import_module("treelens_server.transport").serve_stdio(begun)
    transport = importlib.import_module("treelens_server.transport")
    try:
        transport.serve_tcp(options.host, options.tcp)
    except (OSError, OverflowError) as error:
        from treelens.cli import CannotContinue

        where = f"{options.host} port {options.tcp}"
        raise CannotContinue(f"cannot listen on {where}: {error}") from None
    return 0
