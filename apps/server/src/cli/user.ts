import { InvalidArgumentError, Option, type Command } from "commander";
import { removeMember } from "../conversations/remove-member.ts";
import { resetPassword, updateMember } from "../workspaces/change-member.ts";
import { resetTwoFactor } from "../sessions/switch-two-factor.ts";
import { createMember } from "../workspaces/create-member.ts";
import { listMembers } from "../workspaces/list-members.ts";
import type { Member } from "../workspaces/member.ts";
import { MEMBER_ROLES, OPERATOR, type MemberRole } from "../actor.ts";
import type { Run } from "./command-line.ts";
import { secretIn } from "./secret-option.ts";
import { existing } from "./workspace-of.ts";

/** `parley user …` */
export function registerUser(group: Command, run: Run): void {
  registerCreate(group, run);
  group
    .command("list")
    .description("the people of a workspace")
    .requiredOption("--workspace <id>")
    .option("--json", "print one JSON document")
    .action((options: { workspace: string; json?: boolean }) =>
      run(options, async (app) =>
        (await listMembers(app.db, await existing(app, options.workspace))).map(shown),
      ),
    );
  group
    .command("update <id>")
    .description("change what is given of a person, and leave the rest")
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
          throw new InvalidArgumentError(
            "nothing to change was given; --help lists what can be changed",
          );
        return run(options, async (app) =>
          shown(await updateMember(OPERATOR, app, workspace, id, changes)),
        );
      },
    );
  registerResets(group, run);
  group
    .command("remove <id>")
    .description(
      "remove a person: the seat becomes free, and the person's conversations are unassigned",
    )
    .requiredOption("--workspace <id>")
    .option("--json", "print one JSON document")
    .action((id: string, options: { workspace: string; json?: boolean }) =>
      run(options, async (app) => shown(await removeMember(OPERATOR, app, options.workspace, id))),
    );
}

function registerCreate(group: Command, run: Run): void {
  group
    .command("create")
    .description(
      "add a person; takes a seat. Without a password it prints a link, which works once, with which the person chooses one",
    )
    .requiredOption("--workspace <id>")
    .requiredOption("--email <email>")
    .requiredOption("--name <name>")
    .addOption(
      new Option("--role <role>", "what they may do").choices(MEMBER_ROLES).makeOptionMandatory(),
    )
    .option("--password-stdin", "read the password from standard input")
    .option(
      "--existing-login",
      "the address may sign in to other workspaces already: the person keeps that password, and whoever knows it enters this workspace too",
    )
    .option("--json", "print one JSON document")
    .action(
      async (options: {
        workspace: string;
        email: string;
        name: string;
        role: MemberRole;
        passwordStdin?: boolean;
        existingLogin?: boolean;
        json?: boolean;
      }) => {
        const { email, name, role, existingLogin = false } = options;
        const password = options.passwordStdin ? await secretIn("-") : undefined;
        await run(options, async (app) => {
          const added = await createMember(OPERATOR, app, options.workspace, {
            email,
            name,
            role,
            existingLogin,
            ...(password !== undefined && { password }),
          });
          const { link } = added;
          return {
            ...shown(added),
            ...(added.existingLogin && { existingLogin: true, password: "as before" }),
            ...(link && {
              link: `${app.config.publicUrl}/reset/${link.secret}`,
              linkExpiresAt: link.expiresAt,
            }),
          };
        });
      },
    );
}

function registerResets(group: Command, run: Run): void {
  group
    .command("reset-password <id>")
    .description("set a new password, read from standard input")
    .requiredOption("--workspace <id>")
    .requiredOption("--password-stdin", "read the password from standard input")
    .option("--json", "print one JSON document")
    .action(async (id: string, options: { workspace: string; json?: boolean }) => {
      const password = await secretIn("-");
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

/** The members of a person that these commands have always shown. */
const shown = ({ workspaceId, id, email, name, role, createdAt }: Member) => ({
  workspaceId,
  id,
  email,
  name,
  role,
  createdAt,
});
