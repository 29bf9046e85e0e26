import type { Command } from "commander";
import { invalid } from "../errors.ts";
import type { Run } from "./command-line.ts";

interface TurnsOptions {
  readonly bot?: string;
  readonly conversation?: string;
  readonly json?: boolean;
}

/** `parley bot ask`, `parley bot turns`: what a bot would say, and what models answered. */
export function registerBotAnswers(group: Command, run: Run): void {
  group
    .command("ask <bot> <text>")
    .description("what a bot would say to a customer; nothing is sent and metered")
    .option("--json", "print one JSON document")
    .action((id: string, text: string, options: { json?: boolean }) =>
      run(options, async (app) => {
        const { workspaceOf } = await import("./workspace-of.ts");
        const { runChecked } = await import("./run-checked.ts");
        return runChecked("askBot", app, await workspaceOf(app, "bot", id), { id, text });
      }),
    );
  group
    .command("turns")
    .description(
      "what models answered for a bot or in a conversation, newest first; kept for 30 days",
    )
    .option("--bot <id>")
    .option("--conversation <id>")
    .option("--json", "print one JSON document")
    .action((options: TurnsOptions) =>
      run(options, async (app) => {
        const { bot, conversation } = options;
        if ((bot === undefined) === (conversation === undefined))
          throw invalid("bot", "or conversation is required, one of them");
        const { workspaceOf } = await import("./workspace-of.ts");
        const { recentTurns } = await import("../bots/turn/read-turns.ts");
        const workspaceId =
          bot === undefined
            ? await workspaceOf(app, "conversation", conversation ?? "")
            : await workspaceOf(app, "bot", bot);
        const of = bot === undefined ? { conversationId: conversation ?? "" } : { botId: bot };
        return { items: await recentTurns(app, workspaceId, of) };
      }),
    );
}
