import { useState } from "react";
import { Button, Menu, MenuItem, MenuTrigger, Popover } from "react-aria-components";
import { call } from "../api/call.ts";
import { AskDialog, ConfirmDialog } from "../kit/dialog.tsx";
import { Icon } from "../kit/icon.tsx";
import { useCall } from "../kit/use-call.ts";
import { t } from "../text/t.ts";
import { readAgain, type BotRow } from "./bots-query.ts";
import { download } from "./document-file.ts";
import { FailureOfBot } from "./failure-of-bot.tsx";

const MOST_NAME = 80;

/** What can be done with a bot beside writing its draft. */
export function BotMenu({ bot }: { readonly bot: Pick<BotRow, "id" | "name" | "status"> }) {
  const { id, name, status } = bot;
  const [archiving, setArchiving] = useState(false);
  const [isShown, setShown] = useState(false);
  const act = useCall(async (verb: "pauseBot" | "resumeBot" | "copy" | "export") => {
    setShown(true);
    if (verb === "pauseBot" || verb === "resumeBot") {
      await call(verb, { params: { id } });
    } else {
      const { document } = await call("readBot", { params: { id } });
      if (verb === "export") return download(name, document);
      const copied = Array.from(t("bots.copy.name", { name })).slice(0, MOST_NAME).join("");
      await call("createBot", { body: { document: { ...document, name: copied } } });
    }
    await readAgain();
  });
  const label = t("bots.actions.of", { name });
  return (
    <>
      <MenuTrigger>
        <Button className="quiet" aria-label={label} isPending={act.busy}>
          <Icon name="ellipsis" />
        </Button>
        <Popover placement="bottom end">
          <Menu aria-label={label}>
            {status === "live" && (
              <MenuItem onAction={() => act.start("pauseBot")}>{t("bots.pause")}</MenuItem>
            )}
            {status === "paused" && (
              <MenuItem onAction={() => act.start("resumeBot")}>{t("bots.resume")}</MenuItem>
            )}
            <MenuItem onAction={() => act.start("copy")}>{t("bots.copy")}</MenuItem>
            <MenuItem onAction={() => act.start("export")}>{t("bots.export")}</MenuItem>
            {status !== "archived" && (
              <MenuItem onAction={() => setArchiving(true)}>{t("bots.archive")}</MenuItem>
            )}
          </Menu>
        </Popover>
      </MenuTrigger>
      {isShown && act.failed && (
        <AskDialog title={label} close={() => setShown(false)}>
          <FailureOfBot of={act.failed} />
          <div className="ask-buttons">
            <Button autoFocus onPress={() => setShown(false)}>
              {t("bots.close")}
            </Button>
          </div>
        </AskDialog>
      )}
      {archiving && <ArchiveBot bot={bot} close={() => setArchiving(false)} />}
    </>
  );
}

function ArchiveBot({
  bot,
  close,
}: {
  readonly bot: Pick<BotRow, "id" | "name">;
  readonly close: () => void;
}) {
  const archive = useCall(async () => {
    await call("archiveBot", { params: { id: bot.id } });
    await readAgain();
    close();
  });
  return (
    <ConfirmDialog
      title={t("bots.archive.name", { name: bot.name })}
      verb={t("bots.archive")}
      call={archive}
      close={close}
    >
      <p>{t("bots.archive.text")}</p>
    </ConfirmDialog>
  );
}
