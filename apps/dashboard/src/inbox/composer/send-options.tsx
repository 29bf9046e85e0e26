import {
  Button,
  Menu,
  MenuItem,
  MenuTrigger,
  Popover,
  SubmenuTrigger,
} from "react-aria-components";
import { t } from "../../text/t.ts";
import type { Sending } from "../outbox/outbox-item.ts";
import { Glyph } from "../thread/glyph.tsx";
import { useInbox } from "../../desk/use-inbox.ts";

/** Resolves or snoozes the conversation in the same step as the reply. */
export type Afterwards = Extract<Sending, { kind: "reply" }>["body"]["afterwards"];

/** The menu beside Send. */
export function SendOptions({
  isDisabled,
  onSend,
}: {
  isDisabled: boolean;
  onSend: (after: Afterwards) => void;
}) {
  const { now } = useInbox();
  const snooze = (until: Date): void => onSend({ status: "snoozed", until: until.toISOString() });
  return (
    <MenuTrigger>
      <Button
        type="button"
        className="composer-primary composer-options"
        aria-label={t("composer.options")}
        isDisabled={isDisabled}
      >
        <Glyph name="chevron-down" />
      </Button>
      <Popover placement="top end">
        <Menu aria-label={t("composer.options")}>
          <MenuItem onAction={() => onSend({ status: "resolved" })}>
            {t("composer.sendResolve")}
          </MenuItem>
          <SubmenuTrigger>
            <MenuItem>{t("composer.sendSnooze")}</MenuItem>
            <Popover>
              <Menu aria-label={t("composer.sendSnooze")}>
                <MenuItem onAction={() => snooze(new Date(now() + 3 * 3_600_000))}>
                  {t("composer.snooze.later")}
                </MenuItem>
                <MenuItem onAction={() => snooze(nineIn(now(), 1))}>
                  {t("composer.snooze.tomorrow")}
                </MenuItem>
                <MenuItem
                  onAction={() => snooze(nineIn(now(), (8 - new Date(now()).getDay()) % 7 || 7))}
                >
                  {t("composer.snooze.monday")}
                </MenuItem>
              </Menu>
            </Popover>
          </SubmenuTrigger>
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}

function nineIn(now: number, days: number): Date {
  const day = new Date(now);
  day.setDate(day.getDate() + days);
  day.setHours(9, 0, 0, 0);
  return day;
}
