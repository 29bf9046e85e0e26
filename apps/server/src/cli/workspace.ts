import { OPERATOR } from "../actor.ts";
import { InvalidArgumentError, type Command, Option } from "commander";
import { AppError } from "../errors.ts";
import { createWorkspace } from "../workspaces/create-workspace.ts";
import { findWorkspace, listWorkspaces } from "../workspaces/find-workspace.ts";
import { isLimitName, LIMIT_NAMES, limitsOf, type LimitName } from "../workspaces/plan-limits.ts";
import { PLANS, WORKSPACE_KINDS, type Plan, type WorkspaceKind } from "../wire/words.ts";
import { updateWorkspace, type WorkspaceChanges } from "../workspaces/update-workspace.ts";
import type { Workspace } from "../workspaces/workspace.ts";
import type { RemovalProgress } from "../removal/delete-workspace.ts";
import { printOnInterrupt, timeZone, wholeNumberOrUnlimited, type Run } from "./command-line.ts";
import { plain } from "./table.ts";

type Limits = Partial<Record<LimitName, number | null | "default">>;

interface CreateOptions {
  readonly name: string;
  readonly plan?: Plan;
  readonly kind?: WorkspaceKind;
  readonly smsCredits?: number | "unlimited";
  readonly timeZone?: string;
  readonly country?: string;
  readonly json?: boolean;
}

interface UpdateOptions extends Partial<CreateOptions> {
  readonly suspend?: boolean;
  readonly activate?: boolean;
  readonly limit?: Limits;
  readonly otpPerNumber?: number | "unlimited";
  readonly otpCountries?: string;
}

/** The credits as the domain takes them; empty when none were given. */
const balance = (named: number | "unlimited" | undefined) =>
  named === undefined ? {} : { smsCredits: named === "unlimited" ? null : named };

/** A workspace with the limits that hold, in place of the overrides. */
const shown = ({ limitOverrides, ...workspace }: Workspace) => ({
  ...workspace,
  limits: limitsOf({ plan: workspace.plan, limitOverrides }),
});

/** The given changes, as the domain takes them. */
function changesOf(options: UpdateOptions): WorkspaceChanges {
  const { name, plan, smsCredits, country, limit: limits, otpPerNumber: perNumber } = options;
  return {
    ...(name !== undefined && { name }),
    ...(plan !== undefined && { plan }),
    ...balance(smsCredits),
    ...(options.timeZone !== undefined && { timeZone: options.timeZone }),
    ...(country !== undefined && { country: country === "none" ? null : country }),
    ...(limits !== undefined && { limits }),
    ...(perNumber !== undefined && {
      otpPerNumber: perNumber === "unlimited" ? null : perNumber,
    }),
    ...(options.otpCountries !== undefined && {
      otpCountries: options.otpCountries === "all" ? null : options.otpCountries.split(","),
    }),
    ...(options.suspend && { suspended: true }),
    ...(options.activate && { suspended: false }),
  };
}

/** `parley workspace …` */
export function registerWorkspace(group: Command, run: Run): void {
  const plan = () => new Option("--plan <plan>", "what it may use").choices(PLANS);
  const credits = () =>
    new Option("--sms-credits <n>", 'SMS segments left, or "unlimited"').argParser(
      wholeNumberOrUnlimited,
    );
  const zone = () =>
    new Option(
      "--time-zone <name>",
      "the zone of its campaigns and reports, like Asia/Kuwait",
    ).argParser(timeZone);
  const country = () =>
    new Option(
      "--country <code>",
      "two letters, like KW: local phone numbers of imports and commands get its code",
    );
  group
    .command("create")
    .description("open a workspace")
    .requiredOption("--name <name>")
    .addOption(plan())
    .addOption(
      new Option(
        "--kind <kind>",
        "test: with a sandbox channel of each type and no others; its keys begin with pk_test_",
      ).choices(WORKSPACE_KINDS),
    )
    .addOption(credits())
    .addOption(zone())
    .addOption(country())
    .option("--json", "print one JSON document")
    .action(({ smsCredits, ...options }: CreateOptions) =>
      run(
        options,
        async (app) => {
          const given = { ...options, ...balance(smsCredits) };
          if (options.kind !== "test") return shown(await createWorkspace(OPERATOR, app, given));
          const { createTestWorkspace } = await import("../sandbox/create-test-workspace.ts");
          return shown(await createTestWorkspace(OPERATOR, app, given));
        },
        undefined,
        { begins: true },
      ),
    );
  group
    .command("list")
    .description("every workspace")
    .option("--json", "print one JSON document")
    .action((options: { json?: boolean }) =>
      run(options, async (app) => (await listWorkspaces(app)).map(shown)),
    );
  group
    .command("update <id>")
    .description("change what is given, and leave the rest")
    .option("--name <name>")
    .addOption(plan())
    .addOption(
      new Option("--suspend", "refuse messages, passcodes and campaigns").conflicts("activate"),
    )
    .option("--activate", "end a suspension")
    .addOption(credits())
    .addOption(zone())
    .option(
      "--country <code>",
      'two letters, like KW: local phone numbers get its code; "none": they get none',
    )
    .option(
      "--limit <name=n>",
      `its own limit in place of the plan's: ${LIMIT_NAMES.join(", ")}; a number, "unlimited" or "default"`,
      limit,
    )
    .addOption(
      new Option(
        "--otp-per-number <n>",
        'passcodes that one number may get in 10 minutes, 1 to 1000, or "unlimited"; 5 is a good limit',
      ).argParser(wholeNumberOrUnlimited),
    )
    .option(
      "--otp-countries <codes>",
      'countries whose numbers get verification codes, like "KW,SA", or "all"',
    )
    .option("--json", "print one JSON document")
    .action((id: string, options: UpdateOptions) => {
      const changes = changesOf(options);
      if (Object.keys(changes).length === 0)
        throw new InvalidArgumentError(
          "nothing to change was given; --help lists what can be changed",
        );
      return run(options, async (app) => shown(await updateWorkspace(OPERATOR, app, id, changes)));
    });
  registerDelete(group, run);
}

function registerDelete(group: Command, run: Run): void {
  group
    .command("delete <id>")
    .description(
      "delete a workspace with everything in it, for good; asks for its name. Make a backup first",
    )
    .option("--name <name>", "its name; without it, the command asks for it")
    .option("--json", "print one JSON document")
    .action((id: string, options: { name?: string; json?: boolean }) =>
      run(options, async (app) => {
        const { deleteWorkspace } = await import("../removal/delete-workspace.ts");
        const workspace = await findWorkspace(app, id);
        if (!workspace)
          throw new AppError("NOT_FOUND", { explanation: `there is no workspace ${id}` });
        const name = options.name ?? (await askForName(workspace.name));
        using told = printOnInterrupt(
          () => "not everything is deleted yet; the same command goes on with it",
        );
        void told;
        return deleteWorkspace(OPERATOR, app, id, name, tellProgress());
      }),
    );
}

/** The name that a person types at the terminal. Throws when there is no terminal. */
async function askForName(name: string): Promise<string> {
  if (!process.stdin.isTTY)
    throw new InvalidArgumentError("--name is needed where no terminal can ask for it");
  const { createInterface } = await import("node:readline/promises");
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await terminal.question(
      `Everything in "${plain(name)}" is deleted for good. Type its name to go on: `,
    );
  } finally {
    terminal.close();
  }
}

/** Writes a line per step to stderr, and its count at most once a second. */
function tellProgress(): (progress: RemovalProgress) => void {
  const words = {
    closing: () => "closing: keys, webhooks and channels",
    files: (done: number) => `files deleted: ${done}`,
    rows: (done: number) => `rows deleted: ${done}`,
  } as const satisfies Record<RemovalProgress["step"], (done: number) => string>;
  let last = 0;
  return ({ step, done }) => {
    if (step !== "closing" && performance.now() - last < 1_000) return;
    last = performance.now();
    process.stderr.write(`parley: ${words[step](done)}\n`);
  };
}

function limit(text: string, before: Limits = {}): Limits {
  const [, name = "", value = ""] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  if (!isLimitName(name))
    throw new InvalidArgumentError(`It takes NAME=N, NAME one of ${LIMIT_NAMES.join(", ")}.`);
  if (!/^(\d{1,10}|unlimited|default)$/.test(value))
    throw new InvalidArgumentError(
      'It takes a whole number, "unlimited" or "default" behind the =.',
    );
  const named = value === "default" ? value : wholeNumberOrUnlimited(value);
  // TypeScript does not check a computed member, so its value is typed here.
  const set: Limits[LimitName] = named === "unlimited" ? null : named;
  return { ...before, [name]: set };
}
