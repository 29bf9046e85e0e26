import type { Command } from "commander";
import { verifyKey } from "../api-keys/verify-key.ts";
import type { Run } from "./command-line.ts";
import { SecretOption } from "./secret-option.ts";

/** `parley mcp`: the tools of assistants over standard input and output, for a program that starts Parley itself. */
export function registerMcpCommand(command: Command, run: Run): void {
  command
    .addOption(
      new SecretOption("--key <key>", "the API key, PUBLIC:SECRET")
        .env("PARLEY_KEY")
        .makeOptionMandatory(),
    )
    .addHelpText(
      "after",
      `
Reads requests from standard input until its end, so --key must not be - here. The same tools answer at POST /mcp.

Example:
  ./bin/parley mcp --key PUBLIC:SECRET

The same in the settings of an assistant:
  { "command": "/opt/parley/bin/parley", "args": ["mcp", "--key", "@/home/mona/parley-key"] }
  { "command": "/opt/parley/bin/parley", "args": ["mcp"], "env": { "PARLEY_KEY": "PUBLIC:SECRET" } }`,
    )
    .action(({ key }: { key: string }) =>
      run(
        {},
        async (app) => {
          const { serveOverStdio } = await import("../http/mcp/serve-stdio.ts");
          await serveOverStdio(app, () => verifyKey(app, `Bearer ${key}`, () => "127.0.0.1"));
        },
        () => "",
      ),
    );
}
