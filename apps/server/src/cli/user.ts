import { text } from "node:stream/consumers";
import { Option, type Command } from "commander";
import { createMember } from "../workspaces/create-member.ts";
import { listMembers } from "../workspaces/list-members.ts";
import { MEMBER_ROLES, type MemberRole } from "../workspaces/member.ts";
import type { Run } from "./command-line.ts";
import { existing } from "./workspace-of.ts";

/** `parley user …` */
export function registerUser(group: Command, run: Run): void {
  group
    .command("create")
    .description("add a person; takes a seat")
    .requiredOption("--workspace <id>")
    .requiredOption("--email <email>")
    .requiredOption("--name <name>")
    .addOption(
      new Option("--role <role>", "what they may do").choices(MEMBER_ROLES).makeOptionMandatory(),
    )
    .option("--password-stdin", "read the password from standard input")
    .option("--json", "print one JSON document")
    .action(
      async (options: {
        workspace: string;
        email: string;
        name: string;
        role: MemberRole;
        passwordStdin?: boolean;
        json?: boolean;
      }) => {
        const { email, name, role } = options;
        const password = options.passwordStdin
          ? (await text(process.stdin)).replace(/\r?\n$/, "")
          : undefined;
        await run(options, (app) =>
          createMember(app, options.workspace, {
            email,
            name,
            role,
            actor: "cli",
            ...(password !== undefined && { password }),
          }),
        );
      },
    );
  group
    .command("list")
    .description("everybody of a workspace")
    .requiredOption("--workspace <id>")
    .option("--json", "print one JSON document")
    .action((options: { workspace: string; json?: boolean }) =>
      run(options, async (app) => listMembers(app.db, await existing(app, options.workspace))),
    );
}
