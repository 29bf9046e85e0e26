import { Button } from "react-aria-components";
import { useBootstrap } from "../desk/use-inbox.ts";
import type { MemberSettings } from "../api/shapes.ts";
import { AskDialog } from "../kit/dialog.tsx";
import { isApple } from "../kit/keyboard.ts";
import { t } from "../text/t.ts";
import "./keys.css";

/** The dialog with all keys. */
export function KeysList({ close }: { readonly close: () => void }) {
  const { settings } = useBootstrap();
  return (
    <AskDialog wide title={t("inbox.keys")} close={close}>
      <Lines of={keyLines()} />
      <h3 className="keys-part">{t("composer.keys.writing")}</h3>
      <Lines of={writingLines(settings)} />
      <div className="ask-buttons">
        <Button slot="close">{t("kit.close")}</Button>
      </div>
    </AskDialog>
  );
}

type Line = readonly [keys: string, what: string];

function Lines({ of: lines }: { readonly of: readonly Line[] }) {
  return (
    <dl className="keys-list">
      {lines.map(([keys, what]) => (
        <div key={keys}>
          <dt>
            <bdi dir="ltr">
              {keys.split(" ").map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </bdi>
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
  );
}

const mod = isApple ? "⌘" : "Ctrl";

/** While a message is written. */
function writingLines({
  sendKey,
  tabTakesSuggestion,
}: Pick<MemberSettings, "sendKey" | "tabTakesSuggestion">): readonly Line[] {
  const entered = sendKey === "enter";
  return [
    [entered ? "Enter" : `${mod} Enter`, t("composer.send")],
    [entered ? "Shift Enter" : "Enter", t("composer.keys.newLine")],
    [`${mod} Shift Enter`, t("composer.sendResolve")],
    ["/", t("composer.saved")],
    ...(tabTakesSuggestion ? [["Tab", t("composer.keys.suggestion")] as const] : []),
    ["Esc", t("composer.keys.leave")],
  ];
}

function keyLines(): readonly Line[] {
  const go = (name: string): string => t("inbox.keys.go", { name });
  return [
    [`${mod} K`, t("inbox.keys.menu")],
    ["/", t("inbox.keys.search")],
    ["j k", t("inbox.keys.move")],
    ["Enter", t("inbox.keys.open")],
    ["u", t("inbox.keys.back")],
    ["r", t("inbox.keys.reply")],
    ["n", t("inbox.keys.note")],
    ["t", t("inbox.keys.template")],
    ["a", t("inbox.keys.assign")],
    ["i", t("inbox.keys.assignMe")],
    ["l", t("inbox.keys.labels")],
    ["s", t("inbox.keys.snooze")],
    ["e", t("inbox.keys.resolve")],
    ["Shift U", t("inbox.keys.unread")],
    ["b", t("inbox.keys.bot")],
    ["Shift B", t("inbox.keys.botDid")],
    ["x", t("inbox.keys.select")],
    ["z", t("inbox.keys.undo")],
    [".", t("inbox.keys.details")],
    ["g m", go(t("shell.mine"))],
    ["g u", go(t("shell.unassigned"))],
    ["g a", go(t("shell.all"))],
    ["g s", go(t("shell.snoozed"))],
    ["g r", go(t("shell.resolved"))],
    ["g c", go(t("shell.contacts"))],
    ["g p", go(t("shell.campaigns"))],
    ["g b", go(t("shell.bots"))],
    ["g k", go(t("shell.knowledge"))],
    ["g t", go(t("shell.templates"))],
    ["g ,", go(t("shell.settings"))],
    ["?", t("inbox.keys.help")],
    ["Esc", t("inbox.keys.close")],
  ];
}
