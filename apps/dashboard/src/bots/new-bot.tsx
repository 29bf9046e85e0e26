import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import {
  Button,
  Label,
  Menu,
  MenuItem,
  MenuTrigger,
  Popover,
  RadioGroup,
} from "react-aria-components";
import { flowFrom, type FlowTemplateName } from "../../../server/src/wire/flow-templates.ts";
import { call } from "../api/call.ts";
import { AskDialog } from "../kit/dialog.tsx";
import { TextInput } from "../kit/fields.tsx";
import { Icon } from "../kit/icon.tsx";
import { RadioLine } from "../kit/radios.tsx";
import { useCall } from "../kit/use-call.ts";
import { locale } from "../text/locale.ts";
import { t, type PlainKey } from "../text/t.ts";
import { KINDS } from "./bot-words.ts";
import { readAgain, type BotDocument, type BotRow } from "./bots-query.ts";
import { NoDocument, readFile } from "./document-file.ts";
import { ImportButton } from "./file-button.tsx";
import { FailureOfBot } from "./failure-of-bot.tsx";
import "./flow.css";

type Kind = BotRow["kind"];
type Template = FlowTemplateName | "empty";

/** A bot that says nothing yet. */
const EMPTY = {
  flow: { steps: {} },
  // Members send what it writes until somebody decides otherwise.
  ai: { mode: "suggest", scope: "" },
  external: { url: "" },
} as const satisfies Record<Kind, object>;

const TEMPLATES = {
  order: ["flow.template.order", "flow.template.order.about"],
  hours: ["flow.template.hours", "flow.template.hours.about"],
  returns: ["flow.template.returns", "flow.template.returns.about"],
  lead: ["flow.template.lead", "flow.template.lead.about"],
  empty: ["flow.template.empty", "flow.template.empty.about"],
} as const satisfies Record<Template, readonly [PlainKey, PlainKey]>;
const isTemplate = (value: string): value is Template => Object.hasOwn(TEMPLATES, value);

const TITLES = {
  flow: "flow.new.flow",
  ai: "flow.new.ai",
  external: "flow.new.external",
} as const satisfies Record<Kind, PlainKey>;

/** Makes a bot and opens its page. */
function useMakeBot(): (document: BotDocument) => Promise<void> {
  const navigate = useNavigate();
  return async (document) => {
    const { id } = await call("createBot", { body: { document } });
    await readAgain();
    await navigate({ to: "/bots/$id", params: { id } });
  };
}

/** The buttons that make a bot: by a form, or from a file. */
export function NewBots() {
  const [asking, setAsking] = useState<Kind | null>(null);
  const make = useMakeBot();
  return (
    <>
      <MenuTrigger>
        <Button className="primary">
          <Icon name="plus" />
          {t("bots.new")}
        </Button>
        <Popover placement="bottom end">
          <Menu aria-label={t("bots.new")}>
            <MenuItem onAction={() => setAsking("flow")}>{t(KINDS.flow)}</MenuItem>
            <MenuItem onAction={() => setAsking("ai")}>{t(KINDS.ai)}</MenuItem>
            <MenuItem onAction={() => setAsking("external")}>{t(KINDS.external)}</MenuItem>
          </Menu>
        </Popover>
      </MenuTrigger>
      <ImportDocument take={make} />
      {asking && <NameBot kind={asking} make={make} close={() => setAsking(null)} />}
    </>
  );
}

/** The button Import: reads a document from a file, and gives it on. */
export function ImportDocument({
  take,
}: {
  readonly take: (document: BotDocument) => Promise<void>;
}) {
  const [isRefused, setRefused] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const read = useCall(async (file: File) => {
    setRefused(false);
    setOpen(true);
    try {
      await take(await readFile(file));
    } catch (cause) {
      if (!(cause instanceof NoDocument)) throw cause;
      setRefused(true);
    }
  });
  return (
    <>
      <ImportButton types={[".json"]} busy={read.busy} read={(file) => read.start(file)} />
      {isOpen && (isRefused || read.failed) && (
        <AskDialog title={t("bots.import")} close={() => setOpen(false)}>
          {isRefused && (
            <p role="alert" className="failure">
              {t("bots.import.refused")}
            </p>
          )}
          <FailureOfBot of={read.failed} />
          <div className="ask-buttons">
            <Button autoFocus onPress={() => setOpen(false)}>
              {t("bots.close")}
            </Button>
          </div>
        </AskDialog>
      )}
    </>
  );
}

function NameBot({
  kind,
  make,
  close,
}: {
  readonly kind: Kind;
  readonly make: (document: BotDocument) => Promise<void>;
  readonly close: () => void;
}) {
  const [template, setTemplate] = useState<Template>("order");
  const [typed, setTyped] = useState<string | null>(null);
  // A template has a name already.
  const offered = kind === "flow" && template !== "empty" ? t(TEMPLATES[template][0]) : "";
  const name = (typed ?? offered).trim();
  const isReady = name !== "";
  const create = useCall(() =>
    make(
      kind === "flow" && template !== "empty"
        ? flowFrom(template, locale, name)
        : { format: 1, kind, name, ...EMPTY[kind] },
    ),
  );
  return (
    <AskDialog
      title={t(TITLES[kind])}
      wide={kind === "flow"}
      close={close}
      submit={() => {
        if (isReady) create.start();
      }}
    >
      {kind === "flow" && (
        <RadioGroup
          className="flow-templates"
          value={template}
          onChange={(value) => {
            if (isTemplate(value)) setTemplate(value);
          }}
        >
          <Label>{t("flow.template")}</Label>
          {Object.entries(TEMPLATES).map(([value, [title, about]]) => (
            <RadioLine key={value} value={value}>
              {t(title)}
              <span className="hint">{t(about)}</span>
            </RadioLine>
          ))}
        </RadioGroup>
      )}
      <TextInput
        autoFocus={kind !== "flow"}
        isRequired
        label={t("bots.column.name")}
        hint={t("bots.name.hint")}
        value={typed ?? offered}
        onChange={setTyped}
        maxLength={80}
      />
      <FailureOfBot of={create.failed} />
      <div className="ask-buttons">
        <Button onPress={close}>{t("kit.cancel")}</Button>
        <Button type="submit" className="primary" isDisabled={!isReady} isPending={create.busy}>
          {t("bots.create")}
        </Button>
      </div>
    </AskDialog>
  );
}
