import { InvalidArgumentError, Option, type Command } from "commander";
import { OPERATOR } from "../actor.ts";
import type { DraftButton, DraftHeader, TemplateCategory } from "../channels/adapter.ts";
import { AppError, invalid } from "../errors.ts";
import { findMedia } from "../media/open-media.ts";
import type { OpenContext } from "../open-context.ts";
import { openHeaderSample } from "../media/header-sample.ts";
import { listTemplates } from "../templates/list-templates.ts";
import { presentTemplate } from "../templates/template.ts";
import { createTemplate } from "../templates/write-template.ts";
import { TEMPLATE_CATEGORIES } from "../wire/words.ts";
import type { Run } from "./command-line.ts";
import { registerDeclared } from "./declared.ts";
import { uploadFile } from "./message.ts";
import { jsonOption } from "./read-input.ts";
import { table } from "./table.ts";
import { existing, workspaceOf } from "./workspace-of.ts";

interface CreateOptions {
  readonly channel: string;
  readonly name: string;
  readonly language: string;
  readonly category: TemplateCategory;
  readonly body: string;
  readonly named?: boolean;
  readonly example?: readonly string[];
  readonly headerText?: string;
  readonly headerExample?: string;
  readonly headerFile?: string;
  readonly footer?: string;
  readonly buttons?: readonly DraftButton[];
  readonly json?: boolean;
}

const CREATE_EXAMPLES = `
Examples:
  ./bin/parley template create --channel CHANNEL --name order_update --language en --category UTILITY --body 'Hello {{1}}, your order {{2}} is on its way to you.' --example Sara --example 1234
  ./bin/parley template create --channel CHANNEL --name new_arrival --language ar --category MARKETING --header-file jacket.jpg --body 'وصلت تشكيلتنا الجديدة، تفضل بزيارتنا' --footer 'Shop' --buttons '[{"kind":"url","text":"Shop","url":"https://shop.example/{{1}}","example":"https://shop.example/jackets"}]'`;

/** `parley template …` */
export function registerTemplate(group: Command, run: Run): void {
  registerDeclared("template", group, run);
  group
    .command("list")
    .description("the templates of a workspace that a campaign can send")
    .requiredOption("--workspace <id>")
    .option("--json", "print one JSON document")
    .action((options: { workspace: string; json?: boolean }) =>
      run(
        options,
        async (app) => listTemplates(app, await existing(app, options.workspace)),
        (templates) =>
          table(
            ["id", "name", "language", "category", "variables", "header"],
            templates.map((one) => [
              one.id,
              one.name,
              one.language,
              one.category ?? "–",
              String(one.bodyVariableCount),
              one.headerFormat ?? "–",
            ]),
          ),
      ),
    );
  group
    .command("create")
    .description("hand in a new template for the platform's review")
    .requiredOption("--channel <id>")
    .requiredOption("--name <name>", "small letters, digits and _")
    .requiredOption("--language <code>", "like en, ar or en_US")
    .addOption(
      new Option("--category <category>").choices(TEMPLATE_CATEGORIES).makeOptionMandatory(),
    )
    .requiredOption("--body <text>", "the text, with places for what differs: {{1}}, {{2}} …")
    .option("--named", "the places in header and body have names: {{first_name}} …")
    .option("--example <text>", "an example for each of the body's places, in their order", several)
    .option("--header-text <text>", "the header as a text; it may have one place, {{1}}")
    .option("--header-example <text>", "an example for the header's place")
    .option(
      "--header-file <file>",
      "the header as a picture, video or document; this one is the example",
    )
    .option("--footer <text>")
    .option("--buttons <json>", "a list of quick_reply, url and phone buttons", buttonsOption)
    .option("--json", "print one JSON document")
    .addHelpText("after", CREATE_EXAMPLES)
    .action((options: CreateOptions) =>
      run(options, async (app) => {
        const workspaceId = await workspaceOf(app, "channel", options.channel);
        const header = await headerOf(app, workspaceId, options);
        const { name, language, category, body, example = [], footer, buttons = [] } = options;
        const draft = {
          name,
          language,
          category,
          body,
          bodyExamples: example,
          buttons,
          ...(options.named === true && { named: true }),
          ...(header && { header }),
          ...(footer !== undefined && { footer }),
        };
        const sample = await openHeaderSample(app, workspaceId, draft.header);
        const given = { draft, sample };
        return presentTemplate(
          await createTemplate(OPERATOR, app, workspaceId, options.channel, given),
        );
      }),
    );
}

const several = (text: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  text,
];

async function headerOf(
  app: OpenContext,
  workspaceId: string,
  { headerText, headerExample, headerFile }: CreateOptions,
): Promise<DraftHeader | undefined> {
  if (headerFile === undefined)
    return headerText === undefined
      ? undefined
      : {
          kind: "text",
          text: headerText,
          ...(headerExample !== undefined && { example: headerExample }),
        };
  if (headerText !== undefined)
    throw new AppError("VALIDATION_FAILED", {
      explanation: "a header is a text or a file: give --header-text or --header-file",
    });
  const file = await uploadFile(app, workspaceId, headerFile);
  const kind = (await findMedia(app, workspaceId, file))?.kind;
  if (kind !== "image" && kind !== "video" && kind !== "document")
    throw invalid("header", "must be a picture, a video or a document");
  return { kind, file };
}

/** Reads `--buttons JSON`. What each button must have is checked with the template. */
function buttonsOption(text: string): DraftButton[] {
  const value = jsonOption(text);
  if (!Array.isArray(value) || !value.every(isButton))
    throw new InvalidArgumentError(
      'It takes a list of {"kind":"quick_reply","text":…}, {"kind":"url","text":…,"url":…} and {"kind":"phone","text":…,"phone":…}.',
    );
  return value;
}

function isButton(value: unknown): value is DraftButton {
  if (typeof value !== "object" || value === null) return false;
  const one = new Map<string, unknown>(Object.entries(value));
  const text = (name: string): boolean => typeof one.get(name) === "string";
  const kind = one.get("kind");
  const needed = kind === "url" ? "url" : kind === "phone" ? "phone" : "text";
  return (
    (kind === "quick_reply" || kind === "url" || kind === "phone") &&
    text("text") &&
    text(needed) &&
    (!one.has("example") || text("example"))
  );
}
