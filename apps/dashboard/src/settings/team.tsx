import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "react-aria-components";
import { call, type AnswerOf } from "../api/call.ts";
import { bootstrapQuery, queryClient } from "../api/query-client.ts";
import { failureText, useCall } from "../kit/use-call.ts";
import { formatLocale } from "../text/locale.ts";
import { t } from "../text/t.ts";
import { AskDialog } from "../kit/dialog.tsx";
import { Invite, ShowLink } from "./invite.tsx";
import { MemberActions, type MemberWish } from "./member-actions.tsx";
import { SettingsPage, SettingsPart } from "./settings-page.tsx";

type TeamMember = AnswerOf<"listTeam">["members"][number];

const days = new Intl.DateTimeFormat(formatLocale, { dateStyle: "medium" });

/** `/settings/team`: the members, the invited people, and their roles. */
export function Team() {
  const team = useQuery({
    queryKey: ["team"],
    queryFn: ({ signal }) => call("listTeam", { signal }),
    // For members who may not open it.
    throwOnError: true,
  });
  const { data: boot } = useQuery(bootstrapQuery);
  const [inviting, setInviting] = useState(false);
  const [disabling, setDisabling] = useState<TeamMember | null>(null);
  const [link, setLink] = useState<{ readonly path: string; readonly email: string } | null>(null);
  const [said, setSaid] = useState("");
  const act = useCall(async (member: TeamMember, wish: MemberWish) => {
    setSaid("");
    setSaid(await fulfil(member, wish, (path) => setLink({ path, email: member.email })));
    setDisabling(null);
    await Promise.all([team.refetch(), queryClient.invalidateQueries(bootstrapQuery)]);
  });
  const withdraw = useCall(async (id: string) => {
    await call("withdrawInvitation", { params: { id } });
    await team.refetch();
  });
  const failed = act.failed ?? withdraw.failed;
  return (
    <SettingsPage title={t("people.team")}>
      <SettingsPart title={t("people.members")}>
        {failed && <p role="alert">{failureText(failed)}</p>}
        {said !== "" && !failed && <p role="status">{said}</p>}
        {team.data && <p>{t("people.team.seats", { count: team.data.seats })}</p>}
        <div>
          <Button className="primary" onPress={() => setInviting(true)}>
            {t("people.invite")}
          </Button>
        </div>
        <div className="settings-table">
          <table aria-label={t("people.members")}>
            <thead>
              <tr>
                <th scope="col">{t("people.name")}</th>
                <th scope="col">{t("people.email")}</th>
                <th scope="col">{t("people.role")}</th>
                <th scope="col">{t("people.state")}</th>
                <th scope="col">{t("people.session.action")}</th>
              </tr>
            </thead>
            <tbody>
              {team.data?.members.map((member) => (
                <tr key={member.id}>
                  <th scope="row">
                    <bdi>{member.name}</bdi>
                  </th>
                  <td>
                    <bdi dir="ltr">{member.email}</bdi>
                  </td>
                  <td>{t(`people.role.${member.role}`)}</td>
                  <td>{t(member.disabled ? "people.state.disabled" : "people.state.active")}</td>
                  <td>
                    {(boot?.member.role === "owner" || member.role !== "owner") && (
                      <MemberActions
                        member={member}
                        byOwner={boot?.member.role === "owner"}
                        wish={(wish) =>
                          wish === "disable" ? setDisabling(member) : act.start(member, wish)
                        }
                      />
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </SettingsPart>
      <SettingsPart title={t("people.invitations")}>
        <div className="settings-table">
          <table aria-label={t("people.invitations")}>
            <thead>
              <tr>
                <th scope="col">{t("people.email")}</th>
                <th scope="col">{t("people.role")}</th>
                <th scope="col">{t("people.expires")}</th>
                <th scope="col">{t("people.session.action")}</th>
              </tr>
            </thead>
            <tbody>
              {team.data?.invitations.map(({ id, email, role, expiresAt }) => (
                <tr key={id}>
                  <th scope="row">
                    <bdi dir="ltr">{email}</bdi>
                  </th>
                  <td>{t(`people.role.${role}`)}</td>
                  <td>{days.format(new Date(expiresAt))}</td>
                  <td>
                    <Button onPress={() => withdraw.start(id)}>{t("people.withdraw")}</Button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </SettingsPart>
      {inviting && (
        <Invite
          ownersToo={boot?.member.role === "owner"}
          close={() => setInviting(false)}
          made={() => void team.refetch()}
        />
      )}
      {link && <ShowLink {...link} close={() => setLink(null)} />}
      {disabling && (
        <AskDialog
          role="alertdialog"
          title={t("people.disable.title", { name: disabling.name })}
          close={() => setDisabling(null)}
        >
          <p>{t("people.disable.text")}</p>
          {act.failed && <p role="alert">{failureText(act.failed)}</p>}
          <div className="ask-buttons">
            <Button onPress={() => setDisabling(null)}>{t("kit.cancel")}</Button>
            <Button
              className="danger"
              isPending={act.busy}
              onPress={() => act.start(disabling, "disable")}
            >
              {t("people.disable")}
            </Button>
          </div>
        </AskDialog>
      )}
    </SettingsPage>
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
