import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import {
  camel,
  everyName,
  lateAnswerOf,
  methodName,
  nameOf,
  operationsOf,
  pagingOf,
  readDocument,
  snake,
  type Document,
  type Operation,
  type Parameter,
  type Schema,
} from "./document.ts";
import { literal, PHP, PYTHON, TYPESCRIPT, type Writer } from "./literals.ts";
import { pythonName } from "./python.ts";
import { EVENT_KINDS, eventKinds } from "./reference-events.ts";
import {
  aboutOf,
  answerTable,
  cell,
  followed,
  namesIn,
  row,
  shapeTable,
} from "./reference-tables.ts";

/** Where the reference lies: a page for each operation. It is committed. */
export const REFERENCE = path.join(import.meta.dirname, "../../docs/reference");
const ERRORS = path.join(import.meta.dirname, "../../docs/guides/errors.md");
const STREAM = "text/event-stream";

/** What `docs/reference/` must hold, by path. */
export function reference(document: Document = readDocument()): Map<string, string> {
  const cures = readCures();
  const operations = operationsOf(document);
  return new Map([
    ["README.md", index(document, operations)],
    ...operations.map((one): [string, string] => [
      pathOf(one),
      page(document, one, operations, cures),
    ]),
    [LATE_ANSWER, lateAnswer(document)],
    [EVENT_KINDS, eventKinds(document)],
  ]);
}

/** The one call that needs no key. */
const LATE_ANSWER = "bots/answerBotTurn.md";

function lateAnswer(document: Document): string {
  const one = lateAnswerOf(document);
  const answer = JSON.stringify(one.bodyExample);
  const refusals = one.refusals.map(({ status, code, meaning }) => `| \`${code}\` | ${status} | ${meaning} |\n`);
  return `# ${one.summary}

\`${one.method} ${one.path}\` · without a key

${one.description} What each member means: [external bots](../../external-bots.md#the-answer).

${inputOf(document, one)}
## Call

### curl

\`\`\`sh
curl -sS --fail-with-body "$PARLEY_URL/v1/bot-turns/$token" -H "Content-Type: application/json" \\
  -d '${answer}'
\`\`\`

TypeScript: \`await answerBotTurn(process.env.PARLEY_URL, turn.token, answer)\`, of \`@parley/sdk\`. Python: \`answer_bot_turn(os.environ.get("PARLEY_URL"), turn["token"], answer)\`.
PHP: \`Webhook::answerBotTurn(getenv('PARLEY_URL'), $turn['token'], $answer)\`. [A whole program](../../programs/bot.md).

## Answer

${answerOf(document, one)}
## Errors

| code | status | what it means |
| --- | --- | --- |
${refusals.join("")}
[All calls](../README.md) · [errors](../../guides/errors.md) · [limits](../../guides/limits.md)
`.replaceAll(/\n{3,}/g, "\n\n");
} // oxfmt-ignore

const pathOf = ({ tag, id }: Operation) => `${tag}/${id}.md`;

/** What to do about each code, as the guide says it. */
function readCures(): ReadonlyMap<string, string> {
  const rows = readFileSync(ERRORS, "utf8").matchAll(/^\| `([^`]+)` \| \d+ \| (.*) \|$/gm);
  return new Map(
    [...rows].map(([, code = "", cure = ""]) => [
      code,
      cure.replaceAll(/\]\((?!https?:|#)/g, "](../../guides/").replaceAll("](#", "](../../guides/errors.md#"),
    ]),
  ); // oxfmt-ignore
}

function index(document: Document, operations: readonly Operation[]): string {
  const tags = [...new Set(operations.map((one) => one.tag))];
  const nouns = tags.map((tag) => {
    const about = document.tags.find(({ name }) => name === tag)?.description ?? "";
    const rows = operations
      .filter((one) => one.tag === tag)
      .map((one) => `| [${cell(one.summary)}](${pathOf(one)}) | \`${one.method} ${one.path}\` | \`${one.scope}\` |\n`);
    return `## ${tag}\n\n${about}\n\n| call | address | scope |\n| --- | --- | --- |\n${rows.join("")}`;
  }); // oxfmt-ignore
  const scopes = [...new Set(operations.map((one) => one.scope))].toSorted().map((scope) => {
    const own = operations.filter((one) => one.scope === scope);
    return `| \`${scope}\` | ${own.map((one) => `[${one.id}](${pathOf(one)})`).join(", ")} |\n`;
  });
  return `# Reference

A page for each of the ${operations.length} calls: its input, the call by curl and in three languages, its answer with every member, its errors and their cure. Addresses
follow the base, which ends in \`/api\`. Set up a client as in [Before the first program](../programs/start.md).

To try a call, open \`/api/docs\` on your server and paste a key of a [sandbox](../sandbox.md) workspace: the page calls your own server and no other.

${nouns.join("\n")}
## bots

A bot on a server of yours answers by the token of the turn, without a key: [Answer a turn later](${LATE_ANSWER}).

## What events hold

Each kind of event with its members and an example, as webhooks, the feed and the stream give it: [the kinds of events](${EVENT_KINDS}).

## Scopes

A key without scopes may call everything. \`x:write\` may do what \`x:draft\` may.

| scope | calls |
| --- | --- |
${scopes.join("")}`;
}

/** Addresses of calls that a text names lead to their pages. */
function linked(text: string, operations: readonly Operation[]): string {
  return text.replaceAll(/`([A-Z]+) (\/v1\/[^`]*)`/g, (whole, method: string, at: string) => {
    const other = operations.find((one) => one.method === method && one.path === at);
    return other ? `[${whole}](../${pathOf(other)})` : whole;
  });
}

function page(
  document: Document,
  one: Operation,
  operations: readonly Operation[],
  cures: ReadonlyMap<string, string>,
): string {
  const keyed = one.keyed ? " · takes an [`Idempotency-Key`](../../guides/idempotency.md)" : "";
  const calls = callsOf(document, one);
  const refusals = one.refusals.map(({ status, code }) => {
    const common = cures.get(code.replace(/^MISSING_SCOPE:.*/, "MISSING_SCOPE:<scope>")) ?? "";
    return `| \`${code}\` | ${status} | ${curesOfFiles(one)[code] ?? common} |\n`;
  });
  return `# ${one.summary}

\`${one.method} ${one.path}\` · scope \`${one.scope}\`${keyed}

${linked(one.description.replace(/\n*Needs the scope `[^`]*`\.$/, ""), operations)}

${inputOf(document, one)}## Call

\`parley\` is the client: [before the first program](../../programs/start.md).

${calls.map(([name, language, code]) => `### ${name}\n\n\`\`\`${language}\n${code}\n\`\`\`\n`).join("\n")}
${bytesOf(one)}${versionOf(one, operations)}## Answer

${answerOf(document, one)}
## Errors

| code | status | what to do |
| --- | --- | --- |
${refusals.join("")}
[All calls](../README.md) · [errors](../../guides/errors.md) · [limits](../../guides/limits.md)
`.replaceAll(/\n{3,}/g, "\n\n");
}

/** What to do where the body is a file, or can be one. */
function curesOfFiles({ orFile, bodyType }: Operation): Readonly<Record<string, string>> {
  const size = "a file: at most 100 MB, or what the operator sets";
  if (orFile)
    return {
      BODY_TOO_LARGE: `${size}; JSON: at most 256 KiB`,
      UNSUPPORTED_MEDIA_TYPE: "send the file's own `Content-Type`, and no `Content-Encoding`; for an address `application/json`",
    }; // oxfmt-ignore
  if (bodyType === null) return {};
  return { BODY_TOO_LARGE: size, UNSUPPORTED_MEDIA_TYPE: `send \`Content-Type: ${bodyType}\`` };
}

/** The call with the bytes of a file in place of JSON. */
function bytesOf(one: Operation): string {
  if (!one.orFile) return "";
  const at = `${camel(one.tag)}.${methodName(one)}File`;
  const snaked = `${snake(camel(one.tag))}.${pythonName(methodName(one))}_file`;
  return `### With the bytes of a file

\`\`\`sh
curl -sS --fail-with-body "$PARLEY_URL${one.path}?name=parcel.png" -H "Authorization: Bearer $PARLEY_KEY" \\
  -H "Content-Type: image/png" --data-binary @parcel.png
\`\`\`

TypeScript: \`parley.${at}(readFileSync("parcel.png"), { name: "parcel.png" })\`. Python: \`parley.${snaked}(content, name="parcel.png")\`.
PHP: \`$parley->${at.replace(".", "->")}($content, name: 'parcel.png')\`. In place of the bytes each takes the open file, which is sent piece by piece: a \`Blob\` (\`await openAsBlob("parcel.png")\`),
\`open("parcel.png", "rb")\`, \`fopen('parcel.png', 'r')\`. [A whole program](../../programs/files.md).

`;
}

/** The call that changes only the version that was read, where it may be bound to one. */
function versionOf(one: Operation, operations: readonly Operation[]): string {
  const read = operations.find(({ path: at, method }) => at === one.path && method === "GET");
  if (!one.ifMatch || !read) return "";
  const at = camel(one.tag);
  const [get, change] = [methodName(read), methodName(one)];
  const snaked = `parley.${snake(at)}`;
  const [body, named] = one.body ? [", body", "$body, "] : ["", ""];
  return `### The version that was read

\`\`\`sh
# The ETag is a header of the answer; the change is made to that version and to no other.
etag=$(curl -sS -D - -o /dev/null "$PARLEY_URL${one.path.replace("{id}", "$id")}" -H "Authorization: Bearer $PARLEY_KEY" | sed -n 's/^etag: *//ip' | tr -d '\\r')
curl -sS --fail-with-body -X ${one.method} "$PARLEY_URL${one.path.replace("{id}", "$id")}" -H "Authorization: Bearer $PARLEY_KEY" \\
  -H "If-Match: $etag"${one.body ? ` -H "Content-Type: application/json" -d "$body"` : ""}
\`\`\`

TypeScript: \`const [record, etag] = await parley.${at}.${get}WithEtag(id)\`, then \`parley.${at}.${change}(id${body}, { ifMatch: etag })\`.
Python: \`record, etag = ${snaked}.${pythonName(get)}_with_etag(id)\`, then \`${snaked}.${pythonName(change)}(id${body}, if_match=etag)\`.
PHP: \`[$record, $etag] = $parley->${at}->${get}WithEtag($id)\`, then \`$parley->${at}->${change}($id, ${named}ifMatch: $etag)\`.

`;
}

function answerOf(document: Document, one: Operation): string {
  if (one.answerType === STREAM) return `\`${one.answerStatus}\`, a stream of server-sent events: [events](../../events.md).\n`;
  if (one.answerType !== "application/json") {
    const pieces = `${methodName(one)}Pieces`;
    return `\`${one.answerStatus}\`, a file (\`${one.answerType}\`). Piece by piece as it arrives: \`${pieces}\`, Python \`${snake(pieces)}\`.\n`;
  }
  const text = JSON.stringify(one.answerExample, null, 2);
  return `\`${one.answerStatus}\`\n\n\`\`\`json\n${text}\n\`\`\`\n\n${membersOf(document, one)}`;
} // oxfmt-ignore

/** What each member of an answer means, with the shapes that it names: those of the input are above already. */
function membersOf(document: Document, one: Operation): string {
  const answer = followed(document, one.answer ?? {});
  const above = new Set(namesIn(document, followed(document, one.body ?? {})));
  const shapes = namesIn(document, answer).filter((name) => !above.has(name));
  const tables = shapes.map((name) => shapeTable(document, name));
  return [answerTable(document, answer), ...tables].join("\n");
}

/** A table of everything that is given. */
function inputOf(document: Document, one: Operation): string {
  const given = [...one.pathParameters, ...one.query, ...(one.ifMatch ? [one.ifMatch] : [])];
  const parameters = given.map((parameter) =>
    row(parameter.in, parameter.name, parameter.schema, parameter.required === true, parameter.description),
  ); // oxfmt-ignore
  const name = one.body?.$ref === undefined ? null : nameOf(one.body.$ref);
  const body = name === null ? one.body : document.components.schemas[name];
  const members = inputRows(document, body ?? {}, "body");
  const rows = [...parameters, ...members];
  if (rows.length === 0) return "";
  const shapes = namesIn(document, body ?? {}).map((shape) => {
    const schema = document.components.schemas[shape] ?? {};
    const { description = "" } = schema;
    const own = inputRows(document, schema, null);
    return `### ${shape}\n\n${description}\n\n| name | type | must | what it is |\n| --- | --- | --- | --- |\n${own.join("")}\n`;
  });
  return `## Input\n\n| in | name | type | must | what it is |\n| --- | --- | --- | --- | --- |\n${rows.join("")}\n${shapes.join("")}`;
}

/** A row for each member; those of an object without a name of its own follow it, as `filter.ids`. */
function inputRows(
  document: Document,
  shape: Schema,
  where: string | null,
  before = "",
  when = "",
): string[] {
  return Object.entries(shape.properties ?? {}).flatMap(([member, schema]) => {
    const name = `${before}${member}`;
    const must = shape.required?.includes(member) === true;
    const about = `${when}${aboutOf(document, schema) ?? ""}`;
    const below = schema.items ?? schema;
    const inside = `${name}${schema.items ? "[]" : ""}.`;
    return [
      row(where, name, schema, must, about),
      ...inputRows(document, below, where, inside),
      ...choiceRows(document, below, where, inside),
    ];
  });
}

/** The rows of an object that is one of several shapes, of which one member names one, as the `action` of a change. */
function choiceRows(
  document: Document,
  { anyOf = [] }: Schema,
  where: string | null,
  before: string,
): string[] {
  const words = anyOf.map(({ properties = {} }) =>
    Object.entries(properties).find(([, { const: value }]) => value !== undefined),
  );
  const [first] = words;
  if (!first || words.some((word) => word?.[0] !== first[0])) return [];
  const [word] = first;
  const values = words.flatMap((one) => (one ? [String(one[1].const)] : []));
  const about = words.map((one) => `\`${String(one?.[1].const)}\`: ${one?.[1].description ?? ""}`);
  return [
    row(where, `${before}${word}`, { enum: values }, true, about.join(" ")),
    ...anyOf.flatMap((shape, index) => {
      const { [word]: _word, ...properties } = shape.properties ?? {};
      const when = `With \`${values[index] ?? ""}\`: `;
      return inputRows(document, { ...shape, properties }, where, before, when);
    }),
  ];
}

const exampleOf = (one: Parameter): unknown =>
  one.example ??
  one.schema.enum?.[0] ??
  (one.name === "limit" ? 50 : "01a3b0e2-7c00-7000-8000-0123456789ab");

/** What an example asks for: what must be given, and how many at most. */
const askedOf = (one: Operation): readonly (readonly [string, unknown])[] =>
  one.query
    .filter(({ name, required }) => required === true || name === "limit")
    .map((query) => [query.name, exampleOf(query)]);

/** The same call in each language: heading, language of the block, code. */
export function callsOf(
  document: Document,
  one: Operation,
): readonly (readonly [name: string, language: string, code: string])[] {
  return [
    ["curl", "sh", curl(one)],
    ["TypeScript", "ts", typescript(document, one)],
    ["Python", "python", python(document, one)],
    ["PHP", "php", php(document, one)],
  ];
}

function curl(one: Operation): string {
  const at = one.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = one.pathParameters.find((path) => path.name === name);
    return encodeURIComponent(String(parameter ? exampleOf(parameter) : name));
  });
  const query = askedOf(one).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  const asks = one.orFile ? [] : query;
  const body = one.bodyType
    ? `-H "Content-Type: ${one.bodyType}" --data-binary @contacts.csv`
    : one.body
      ? `-H "Content-Type: application/json" \\\n  -d '${JSON.stringify(one.bodyExample).replaceAll("'", "'\\''")}'`
      : "";
  return [
    `curl -sS --fail-with-body${one.method === "GET" || (one.method === "POST" && body) ? "" : ` -X ${one.method}`} "$PARLEY_URL${at}${asks.length > 0 ? `?${asks.join("&")}` : ""}"`,
    `-H "Authorization: Bearer $PARLEY_KEY"${one.keyed ? ' -H "Idempotency-Key: one-name-for-this-effect"' : ""}`,
    ...(body ? [body] : []),
  ].join(" \\\n  ");
}

/** What the example gives, in the order of the clients' methods. */
function given(one: Operation, writer: Writer): string[] {
  return [
    ...one.pathParameters.map((path) => literal(exampleOf(path), writer)),
    ...(one.bodyType ? [literal("name,phone\nSara,201001234567\n", writer)] : []),
    ...(one.body ? [literal(one.bodyExample, writer)] : []),
  ];
}

const asksOf = (one: Operation) => (one.orFile ? [] : askedOf(one));

function typescript(document: Document, one: Operation): string {
  const at = `parley.${camel(one.tag)}`;
  const query = Object.fromEntries(asksOf(one));
  const all = [...given(one, TYPESCRIPT), ...(Object.keys(query).length > 0 ? [literal(query, TYPESCRIPT)] : [])]; // oxfmt-ignore
  if (one.answerType === STREAM)
    return `for await (const event of ${at}.${methodName(one)}()) console.log(event.type);`;
  const call = `const answer = await ${at}.${methodName(one)}(${all.join(", ")});`;
  if (!pagingOf(document, one)) return call;
  return `${call}\n// Every one, page after page:\nfor await (const one of ${at}.${everyName(methodName(one))}(${all.join(", ")})) console.log(one);`;
}

function python(document: Document, one: Operation): string {
  const at = `parley.${snake(camel(one.tag))}`;
  const asks = asksOf(one).map(([name, value]) => `${pythonName(name)}=${literal(value, PYTHON)}`);
  const all = [...given(one, PYTHON), ...asks].join(", ");
  if (one.answerType === STREAM)
    return `for event in ${at}.${pythonName(methodName(one))}():\n    print(event["type"])`;
  const call = `answer = ${at}.${pythonName(methodName(one))}(${all})`;
  if (!pagingOf(document, one)) return call;
  return `${call}\n# Every one, page after page:\nfor one in ${at}.${pythonName(everyName(methodName(one)))}(${all}):\n    print(one)`;
}

function php(document: Document, one: Operation): string {
  const at = `$parley->${camel(one.tag)}`;
  const asks = asksOf(one).map(([name, value]) => `${name}: ${literal(value, PHP)}`);
  // In single quotes PHP has no line break; and a body is an array, an empty one too.
  const text = given(one, PHP).map((part) => {
    if (part === PHP.empty) return "[]";
    return part.startsWith("'name,phone\n") ? `"name,phone\\nSara,201001234567\\n"` : part;
  });
  const all = [...text, ...asks].join(", ");
  if (one.answerType === STREAM)
    return `foreach (${at}->${methodName(one)}() as $event) {\n    echo $event['type'], "\\n";\n}`;
  const call = `$answer = ${at}->${methodName(one)}(${all});`;
  if (!pagingOf(document, one)) return call;
  return `${call}\n// Every one, page after page:\nforeach (${at}->${everyName(methodName(one))}(${all}) as $one) {\n    print_r($one);\n}`;
}

if (import.meta.main) {
  rmSync(REFERENCE, { recursive: true, force: true });
  for (const [name, text] of reference()) {
    mkdirSync(path.dirname(path.join(REFERENCE, name)), { recursive: true });
    writeFileSync(path.join(REFERENCE, name), text);
  }
}
