import type { Command } from "commander";
import type { OpenContext } from "../open-context.ts";
import { describeDemo, resetDemo } from "../sandbox/demo.ts";
import { print } from "./command-line.ts";
import { withApp } from "./open-app.ts";

/** `parley demo …` */
export function registerDemo(group: Command): void {
  group
    .command("reset")
    .description("delete the demo workspace and make it anew; nothing else is touched")
    .option("--json", "print one JSON document")
    .action(async (options: { json?: boolean }) => {
      const reset = (app: OpenContext) => resetDemo(app, { publicUrl: app.config.publicUrl });
      const facts = await withApp(reset, { begins: true });
      if (options.json) print(options, facts);
      else process.stdout.write(describeDemo(facts));
    });
}
