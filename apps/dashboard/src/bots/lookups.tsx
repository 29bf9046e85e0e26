import { useId, useState } from "react";
import { Button } from "react-aria-components";
import { LOOKUP_ARGUMENT_TYPES } from "../../../server/src/wire/lookup.ts";
import { call, type AnswerOf } from "../api/call.ts";
import { Choice, TextInput, Tick } from "../kit/fields.tsx";
import { count } from "../kit/format.ts";
import { Part } from "../kit/page.tsx";
import { useCall } from "../kit/use-call.ts";
import { t, type PlainKey } from "../text/t.ts";
import { numberOf } from "./ai-form.ts";
import { BotSecret } from "./bot-secret.tsx";
import type { Bot, BotDocument } from "./bots-query.ts";
import { isRecord } from "./document-file.ts";
import { FailureOfBot } from "./failure-of-bot.tsx";
import { lookupFault } from "./lookup-words.ts";
import { ItemList, recordsAt, textIn, type Editing, type ItemEditing } from "./item-list.tsx";

const MOST = 20;
const MOST_ARGUMENTS = 10;
type ArgumentType = (typeof LOOKUP_ARGUMENT_TYPES)[number];

const TYPES = {
  text: "bots.argument.text",
  number: "bots.argument.number",
  date: "bots.argument.date",
  yes_no: "bots.argument.yes_no",
} as const satisfies Record<ArgumentType, PlainKey>;

/** What an AI bot may ask other systems, and what signs that. */
export function Lookups({
  bot,
  keep,
  ...editing
}: Editing & {
  readonly bot: Bot;
  /** Stores what is written: a test asks for the draft's. Null: the member cannot write. */
  readonly keep: (() => Promise<Bot>) | null;
}) {
  const some = recordsAt(editing.document, "lookups").length > 0;
  return (
    <>
      <Part title={t("bots.lookups")}>
        <div role="group" aria-label={t("bots.lookups")} className="bots-form">
          <p className="hint">{t("bots.lookups.hint")}</p>
          <ItemList
            of={editing}
            at="lookups"
            label={t("bots.lookups")}
            one="bots.lookup"
            add="bots.lookup.add"
            remove="bots.lookup.remove"
            most={MOST}
            make={(length) => ({ name: `look_up_${length + 1}`, description: "", url: "" })}
          >
            {(item) => (
              <>
                <LookupFields of={item} />
                <Arguments of={item} />
                {keep && <TestLookup id={bot.id} lookup={item.item} keep={keep} />}
              </>
            )}
          </ItemList>
        </div>
      </Part>
      {editing.mayWrite && some && <BotSecret bot={bot} />}
    </>
  );
}

function LookupFields({ of: { item, mayWrite, put } }: { readonly of: ItemEditing }) {
  const shared = { isReadOnly: !mayWrite };
  return (
    <>
      <div className="bots-pair">
        <TextInput
          {...shared}
          code
          label={t("bots.column.name")}
          hint={t("bots.lookup.name.hint")}
          value={textIn(item, "name")}
          onChange={(name) => put("name", name)}
          maxLength={40}
        />
        <TextInput
          {...shared}
          code
          label={t("flow.address")}
          hint={t("bots.lookup.url.hint")}
          value={textIn(item, "url")}
          onChange={(url) => put("url", url)}
          maxLength={2048}
        />
      </div>
      <TextInput
        {...shared}
        rows={2}
        label={t("bots.description")}
        hint={t("bots.lookup.description.hint")}
        value={textIn(item, "description")}
        onChange={(text) => put("description", text)}
        maxLength={500}
      />
    </>
  );
}

/** What the model fills. */
function Arguments({ of }: { readonly of: ItemEditing }) {
  const title = useId();
  const nested: Editing = {
    document: of.item,
    mayWrite: of.mayWrite,
    change: (make) => of.put("arguments", make(of.item)["arguments"]),
  };
  return (
    <div role="group" aria-labelledby={title} className="flow-group">
      <h3 id={title}>{t("bots.arguments")}</h3>
      <ItemList
        of={nested}
        at="arguments"
        label={t("bots.arguments")}
        one="bots.argument"
        add="bots.argument.add"
        remove="bots.argument.remove"
        most={MOST_ARGUMENTS}
        make={(length) => ({ name: `value_${length + 1}`, type: "text" })}
      >
        {({ item, mayWrite, put }) => (
          <>
            <div className="bots-pair">
              <TextInput
                code
                isReadOnly={!mayWrite}
                label={t("bots.column.name")}
                value={textIn(item, "name")}
                onChange={(name) => put("name", name)}
                maxLength={40}
              />
              <Choice
                label={t("bots.argument.type")}
                disabled={!mayWrite}
                value={typeOf(item)}
                options={LOOKUP_ARGUMENT_TYPES.map((type) => ({
                  value: type,
                  name: t(TYPES[type]),
                }))}
                change={(type) => put("type", type)}
              />
            </div>
            <TextInput
              isReadOnly={!mayWrite}
              label={t("bots.description")}
              value={textIn(item, "description")}
              onChange={(text) => put("description", text === "" ? undefined : text)}
              maxLength={300}
            />
            <Tick
              label={t("bots.argument.optional")}
              on={item["optional"] === true}
              change={(on) => {
                if (mayWrite) put("optional", on ? true : undefined);
              }}
            />
          </>
        )}
      </ItemList>
    </div>
  );
}

const typeOf = (item: BotDocument): ArgumentType =>
  LOOKUP_ARGUMENT_TYPES.find((type) => type === item["type"]) ?? "text";

type Done = AnswerOf<"testLookup">;

/** Makes the look-up once, with values that the member writes, and says what it gave. */
function TestLookup({
  id,
  lookup,
  keep,
}: {
  readonly id: string;
  readonly lookup: BotDocument;
  readonly keep: () => Promise<Bot>;
}) {
  const [isOpen, setOpen] = useState(false);
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [done, setDone] = useState<Done | null>(null);
  const declared = recordsAt(lookup, "arguments").flatMap((one) => (isRecord(one) ? [one] : []));
  const test = useCall(async () => {
    setDone(null);
    await keep();
    const given = declared.flatMap((one): [string, unknown][] => {
      const name = textIn(one, "name");
      const value = valueOf(typeOf(one), values[name] ?? "");
      return value === undefined ? [] : [[name, value]];
    });
    const body = { name: textIn(lookup, "name"), arguments: Object.fromEntries(given) };
    setDone(await call("testLookup", { params: { id }, body }));
  });
  const begin = () => {
    // Without arguments there is nothing to ask for first.
    if (declared.length === 0) test.start();
    else setOpen(true);
  };
  return (
    <div className="bots-form">
      {isOpen && declared.length > 0 ? (
        <form
          className="bots-test"
          onSubmit={(event) => {
            event.preventDefault();
            test.start();
          }}
        >
          {declared.map((one, index) => {
            const name = textIn(one, "name");
            return (
              <TextInput
                // oxlint-disable-next-line react/no-array-index-key
                key={index}
                label={t("bots.lookup.value", { name })}
                hint={t(HINTS[typeOf(one)])}
                value={values[name] ?? ""}
                onChange={(value) => setValues((now) => ({ ...now, [name]: value }))}
                maxLength={200}
              />
            );
          })}
          <div className="bots-buttons">
            <Button type="submit" isPending={test.busy}>
              {t("bots.lookup.test")}
            </Button>
          </div>
        </form>
      ) : (
        <div className="bots-buttons">
          <Button isPending={test.busy} onPress={begin}>
            {t("bots.lookup.test")}
          </Button>
        </div>
      )}
      <FailureOfBot of={test.failed} />
      {done && <LookupResult of={done} />}
    </div>
  );
}

const HINTS = {
  text: "bots.argument.text",
  number: "bots.argument.number",
  date: "bots.argument.date.hint",
  yes_no: "bots.argument.yes_no.hint",
} as const satisfies Record<ArgumentType, PlainKey>;

/** A value as a model would fill it; undefined: none. */
function valueOf(type: ArgumentType, field: string): unknown {
  const text = field.trim();
  if (text === "") return undefined;
  if (type === "number") return numberOf(text) ?? text;
  if (type === "yes_no") return /^(yes|نعم|true)$/i.test(text);
  return text;
}

function LookupResult({ of: { fault, detail, answer, ms } }: { readonly of: Done }) {
  if (fault !== null)
    return (
      <p role="alert" className="failure">
        {lookupFault(fault)} {detail !== "" && <bdi dir="ltr">({detail})</bdi>}
      </p>
    );
  return (
    <div className="bots-form">
      <p role="status">{t("bots.lookup.answered", { ms: count(ms) })}</p>
      <pre className="bots-answer" dir="auto">
        {answer}
      </pre>
    </div>
  );
}
