import { text } from "node:stream/consumers";
import { InvalidArgumentError, Option, type Command } from "commander";
import { removeMember } from "../conversations/remove-member.ts";
import { resetPassword, updateMember } from "../workspaces/change-member.ts";
import { resetTwoFactor } from "../sessions/switch-two-factor.ts";
import { createMember } from "../workspaces/create-member.ts";
import { listMembers } from "../workspaces/list-members.ts";
import type { Member } from "../workspaces/member.ts";
import { MEMBER_ROLES, OPERATOR, type MemberRole } from "../actor.ts";
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
        const password = options.passwordStdin ? await pipedPassword() : undefined;
        await run(options, async (app) =>
          shown(
            await createMember(OPERATOR, app, options.workspace, {
              email,
              name,
              role,
              ...(password !== undefined && { password }),
            }),
          ),
        );
      },
    );
  group
    .command("list")
    .description("everybody of a workspace")
    .requiredOption("--workspace <id>")
    .option("--json", "print one JSON document")
    .action((options: { workspace: string; json?: boolean }) =>
      run(options, async (app) =>
        (await listMembers(app.db, await existing(app, options.workspace))).map(shown),
      ),
    );
  group
    .command("update <id>")
    .description("change what is named of a person, leave the rest")
    .requiredOption("--workspace <id>")
    .option("--email <email>")
    .option("--name <name>")
    .addOption(new Option("--role <role>", "what they may do").choices(MEMBER_ROLES))
    .option("--json", "print one JSON document")
    .action(
      (
        id: string,
        options: {
          workspace: string;
          email?: string;
          name?: string;
          role?: MemberRole;
          json?: boolean;
        },
      ) => {
        const { workspace, json: _, ...changes } = options;
        if (Object.keys(changes).length === 0)
          throw new InvalidArgumentError("nothing to change was named; --help lists what can be");
        return run(options, async (app) =>
          shown(await updateMember(OPERATOR, app, workspace, id, changes)),
        );
      },
    );
  registerCredentials(group, run);
  group
    .command("remove <id>")
    .description("take a person out; the seat is free, conversations of the person are unassigned")
    .requiredOption("--workspace <id>")
    .option("--json", "print one JSON document")
    .action((id: string, options: { workspace: string; json?: boolean }) =>
      run(options, async (app) => shown(await removeMember(OPERATOR, app, options.workspace, id))),
    );
}

/** The commands for a person who cannot sign in. */
function registerCredentials(group: Command, run: Run): void {
  group
    .command("reset-password <id>")
    .description("set a new password, read from standard input")
    .requiredOption("--workspace <id>")
    .requiredOption("--password-stdin", "read the password from standard input")
    .option("--json", "print one JSON document")
    .action(async (id: string, options: { workspace: string; json?: boolean }) => {
      const password = await pipedPassword();
      await run(options, async (app) =>
        shown(await resetPassword(OPERATOR, app, options.workspace, id, password)),
      );
    });
  group
    .command("reset-two-factor <id>")
    .description("switch two-factor off for a person who lost the app and the recovery codes")
    .requiredOption("--workspace <id>")
    .option("--json", "print one JSON document")
    .action((id: string, options: { workspace: string; json?: boolean }) =>
      run(options, async (app) => {
        await resetTwoFactor(OPERATOR, app, options.workspace, id);
        return { id, twoFactor: "off" };
      }),
    );
}

/** What the commands have always told of a person. */
const shown = ({ workspaceId, id, email, name, role, createdAt }: Member) => ({
  workspaceId,
  id,
  email,
  name,
  role,
  createdAt,
});

/** Standard input without the line's end behind it. */
const pipedPassword = async (): Promise<string> =>
  (await text(process.stdin)).replace(/\r?\n$/, "");
