import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "react-aria-components";
import { call, type AnswerOf } from "../api/call.ts";
import { bootstrapQuery, failsPage, queryClient } from "../api/query-client.ts";
import { useListNews } from "../desk/use-news.ts";
import { Badge } from "../kit/badge.tsx";
import { ConfirmDialog } from "../kit/dialog.tsx";
import { Face } from "../kit/face.tsx";
import { Failure } from "../kit/failure.tsx";
import { dayOf } from "../kit/format.ts";
import { Icon } from "../kit/icon.tsx";
import { DataTable, type Column } from "../kit/table.tsx";
import { useCall, type AskedCall } from "../kit/use-call.ts";
import { t } from "../text/t.ts";
import { Invite, ShowLink } from "./invite.tsx";
import { MemberActions, type MemberWish } from "./member-actions.tsx";
import { SettingsPage, SettingsPart } from "./settings-page.tsx";

type TeamMember = AnswerOf<"listTeam">["members"][number];
type InvitationJson = AnswerOf<"listTeam">["invitations"][number];

/** `/settings/team`: the members, the invited people, and their roles. */
export function Team() {
  const team = useQuery({
    queryKey: ["team"],
    queryFn: ({ signal }) => call("listTeam", { signal }),
    // For members who may not open it.
    throwOnError: failsPage,
  });
  // Who was invited joins while the page is open.
  useListNews(team);
  const { data: boot } = useQuery(bootstrapQuery);
  const [inviting, setInviting] = useState(false);
  const [asked, setAsked] = useState<{
    readonly member: TeamMember;
    readonly wish: "disable" | "reset-two-factor";
  } | null>(null);
  const [link, setLink] = useState<{ readonly path: string; readonly email: string } | null>(null);
  const [said, setSaid] = useState("");
  const act = useCall(async (member: TeamMember, wish: MemberWish) => {
    setSaid("");
    setSaid(await fulfil(member, wish, (path) => setLink({ path, email: member.email })));
    setAsked(null);
    // The next act need not wait for what other pages show.
    void queryClient.invalidateQueries(bootstrapQuery);
    await team.refetch();
  });
  const withdraw = useCall(async (id: string) => {
    await call("withdrawInvitation", { params: { id } });
    await team.refetch();
  });
  // Only a hash of a link is kept, so an older link cannot be shown again: another one ends it.
  const renew = useCall(async ({ email, role }: InvitationJson) => {
    const { path } = await call("inviteMember", { body: { email, role } });
    setLink({ path, email });
    await team.refetch();
  });
  // What a dialog asked for fails in the dialog.
  const failed = (asked === null ? act.failed : null) ?? withdraw.failed ?? renew.failed;
  const wished = (member: TeamMember, wish: MemberWish) => {
    if (wish === "disable" || wish === "reset-two-factor") setAsked({ member, wish });
    else act.start(member, wish);
  };
  const byOwner = boot?.member.role === "owner";
  return (
    <SettingsPage
      title={t("people.team")}
      {...(team.data && { lead: t("people.team.seats", { count: team.data.seats }) })}
      actions={
        <Button className="primary" onPress={() => setInviting(true)}>
          <Icon name="user-plus" />
          {t("people.invite")}
        </Button>
      }
    >
      <Failure of={failed} />
      <p role="status" className={said === "" || failed ? "visually-hidden" : "saved"}>
        {failed ? "" : said}
      </p>
      <DataTable
        name={t("people.members")}
        columns={memberColumns(byOwner, wished)}
        rows={team.data?.members ?? []}
        id={({ id }) => id}
      />
      <SettingsPart title={t("people.invitations")}>
        {team.data?.invitations.length === 0 ? (
          <p className="hint">{t("people.invitations.none")}</p>
        ) : (
          <DataTable
            name={t("people.invitations")}
            columns={invitationColumns(
              ({ id }) => withdraw.start(id),
              (invitation) => renew.start(invitation),
            )}
            rows={team.data?.invitations ?? []}
            id={({ id }) => id}
          />
        )}
      </SettingsPart>
      {inviting && (
        <Invite
          ownersToo={byOwner}
          close={() => setInviting(false)}
          made={() => void team.refetch()}
        />
      )}
      {link && <ShowLink {...link} close={() => setLink(null)} />}
      {asked && <Confirm {...asked} act={act} close={() => setAsked(null)} />}
    </SettingsPage>
  );
}

const memberColumns = (
  byOwner: boolean,
  wished: (member: TeamMember, wish: MemberWish) => void,
): readonly Column<TeamMember>[] => [
  {
    key: "name",
    name: t("people.name"),
    cell: ({ id, name }) => (
      <span className="member-name">
        <Face id={id} name={name} />
        <bdi>{name}</bdi>
      </span>
    ),
  },
  {
    key: "email",
    name: t("people.email"),
    cell: ({ email }) => <bdi dir="ltr">{email}</bdi>,
  },
  { key: "role", name: t("people.role"), cell: ({ role }) => t(`people.role.${role}`) },
  {
    key: "state",
    name: t("people.state"),
    cell: ({ disabled, availability }) =>
      disabled ? (
        <Badge tone="plain">{t("people.state.disabled")}</Badge>
      ) : availability === "away" ? (
        <Badge tone="warn">{t("shell.away")}</Badge>
      ) : (
        <Badge tone="ok">{t("people.state.active")}</Badge>
      ),
  },
  {
    key: "two-factor",
    name: t("security.twoFactor"),
    cell: ({ twoFactor }) => t(twoFactor ? "security.twoFactor.on" : "security.twoFactor.off"),
  },
  {
    key: "action",
    name: t("people.session.action"),
    action: true,
    cell: (member) =>
      (byOwner || member.role !== "owner") && (
        <MemberActions member={member} byOwner={byOwner} wish={(wish) => wished(member, wish)} />
      ),
  },
];

const invitationColumns = (
  withdraw: (invitation: InvitationJson) => void,
  renew: (invitation: InvitationJson) => void,
): readonly Column<InvitationJson>[] => [
  {
    key: "email",
    name: t("people.email"),
    cell: ({ email }) => <bdi dir="ltr">{email}</bdi>,
  },
  { key: "role", name: t("people.role"), cell: ({ role }) => t(`people.role.${role}`) },
  { key: "until", name: t("people.expires"), cell: ({ expiresAt }) => dayOf(expiresAt) },
  {
    key: "action",
    name: t("people.session.action"),
    action: true,
    cell: (invitation) => (
      <>
        <Button onPress={() => renew(invitation)}>{t("people.renew")}</Button>{" "}
        <Button onPress={() => withdraw(invitation)}>{t("people.withdraw")}</Button>
      </>
    ),
  },
];

/** Asks before a member is shut out, or loses the second step of signing in. */
function Confirm({
  member,
  wish,
  act,
  close,
}: {
  readonly member: TeamMember;
  readonly wish: "disable" | "reset-two-factor";
  readonly act: AskedCall<readonly [TeamMember, MemberWish]>;
  readonly close: () => void;
}) {
  const { name } = member;
  const [title, text, verb] =
    wish === "disable"
      ? [t("people.disable.title", { name }), t("people.disable.text"), t("people.disable")]
      : [t("security.reset.title", { name }), t("security.reset.text"), t("security.reset")];
  return (
    <ConfirmDialog
      title={title}
      verb={verb}
      call={{ ...act, start: () => act.start(member, wish) }}
      close={close}
    >
      <p>{text}</p>
    </ConfirmDialog>
  );
}

/** Makes the requested change to a member and gives the words of the result. */
async function fulfil(
  { id, name }: TeamMember,
  wish: MemberWish,
  showLink: (path: string) => void,
): Promise<string> {
  const params = { id };
  switch (wish) {
    case "owner":
    case "admin":
    case "agent":
      await call("changeMember", { params, body: { role: wish } });
      return t("people.saved");
    case "disable":
    case "enable":
      await call("changeMember", { params, body: { disabled: wish === "disable" } });
      return t("people.saved");
    case "end-sessions": {
      const { ended } = await call("endMemberSessions", { params });
      return t("people.session.ended", { count: ended });
    }
    case "reset-two-factor":
      await call("resetTwoFactor", { params });
      return t("security.reset.done", { name });
    case "reset-link":
      showLink((await call("makeResetLink", { params })).path);
      return "";
  }
}
