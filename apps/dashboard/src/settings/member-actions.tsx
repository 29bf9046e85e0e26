import { Button, Menu, MenuItem, MenuTrigger, Popover } from "react-aria-components";
import type { AnswerOf } from "../api/call.ts";
import { Icon } from "../kit/icon.tsx";
import { t } from "../text/t.ts";

type TeamMember = AnswerOf<"listTeam">["members"][number];

const ROLES = ["owner", "admin", "agent"] as const;

/** An action on a member: a new role, or one of the others. */
export type MemberWish =
  | (typeof ROLES)[number]
  | "disable"
  | "enable"
  | "end-sessions"
  | "reset-link"
  | "reset-two-factor";

/** The menu of one member. Only owners make owners. */
export function MemberActions({
  member,
  byOwner,
  wish,
}: {
  readonly member: TeamMember;
  readonly byOwner: boolean;
  readonly wish: (wish: MemberWish) => void;
}) {
  const roles = ROLES.filter((role) => role !== member.role && (byOwner || role !== "owner"));
  const switched = member.disabled ? "enable" : "disable";
  return (
    <MenuTrigger>
      <Button className="quiet" aria-label={t("people.actions", { name: member.name })}>
        <Icon name="ellipsis" />
      </Button>
      <Popover>
        <Menu>
          {roles.map((role) => (
            <MenuItem key={role} onAction={() => wish(role)}>
              {t(`people.makeRole.${role}`)}
            </MenuItem>
          ))}
          <MenuItem onAction={() => wish("end-sessions")}>{t("people.endSessions")}</MenuItem>
          <MenuItem onAction={() => wish("reset-link")}>{t("people.resetLink")}</MenuItem>
          {member.twoFactor && (byOwner || member.role === "agent") && (
            <MenuItem onAction={() => wish("reset-two-factor")}>{t("security.reset")}</MenuItem>
          )}
          <MenuItem onAction={() => wish(switched)}>{t(`people.${switched}`)}</MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
