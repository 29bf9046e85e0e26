import type { Command } from "commander";
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
      const facts = await withApp((app) => resetDemo(app, { publicUrl: app.config.publicUrl }));
      if (options.json) print(options, facts);
      else process.stdout.write(describeDemo(facts));
    });
}
