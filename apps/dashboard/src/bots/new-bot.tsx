import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { Button, FileTrigger, Menu, MenuItem, MenuTrigger, Popover } from "react-aria-components";
import { call } from "../api/call.ts";
import { AskDialog } from "../kit/dialog.tsx";
import { TextInput } from "../kit/fields.tsx";
import { Icon } from "../kit/icon.tsx";
import { useCall } from "../kit/use-call.ts";
import { t } from "../text/t.ts";
import { readAgain, type BotDocument } from "./bots-query.ts";
import { NoDocument, readFile } from "./document-file.ts";
import { FailureOfBot } from "./failure-of-bot.tsx";

/** A bot that says nothing yet: members send what it writes until somebody decides otherwise. */
const aiDocument = (name: string): BotDocument => ({
  format: 1,
  kind: "ai",
  name,
  mode: "suggest",
  scope: "",
});

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
  const [asking, setAsking] = useState(false);
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
            <MenuItem onAction={() => setAsking(true)}>{t("bots.kind.ai")}</MenuItem>
          </Menu>
        </Popover>
      </MenuTrigger>
      <ImportDocument take={make} />
      {asking && <NameBot make={make} close={() => setAsking(false)} />}
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
      <FileTrigger
        acceptedFileTypes={[".json"]}
        onSelect={(list) => {
          const file = list?.[0];
          if (file) read.start(file);
        }}
      >
        <Button isPending={read.busy}>
          <Icon name="upload" />
          {t("bots.import")}
        </Button>
      </FileTrigger>
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
  make,
  close,
}: {
  readonly make: (document: BotDocument) => Promise<void>;
  readonly close: () => void;
}) {
  const [name, setName] = useState("");
  const isReady = name.trim() !== "";
  const create = useCall(() => make(aiDocument(name.trim())));
  return (
    <AskDialog
      title={t("bots.new")}
      close={close}
      submit={() => {
        if (isReady) create.start();
      }}
    >
      <TextInput
        autoFocus
        isRequired
        label={t("bots.column.name")}
        hint={t("bots.name.hint")}
        value={name}
        onChange={setName}
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
