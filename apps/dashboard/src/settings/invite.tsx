import { useState } from "react";
import { Button, Input, Label, TextField } from "react-aria-components";
import { call } from "../api/call.ts";
import { AskForm, Field } from "../people/entry.tsx";
import { useCall } from "../kit/use-call.ts";
import { t } from "../text/t.ts";
import { AskDialog } from "../kit/dialog.tsx";

interface Made {
  readonly path: string;
  readonly email: string;
}

/** The dialog that invites an address, and then shows the link once. */
export function Invite({
  ownersToo,
  close,
  made,
}: {
  readonly ownersToo: boolean;
  readonly close: () => void;
  /** An invitation was made. */
  readonly made: () => void;
}) {
  const [link, setLink] = useState<Made | null>(null);
  const invite = useCall(async (texts: ReadonlyMap<string, string>) => {
    const email = texts.get("email") ?? "";
    const role = texts.get("role");
    const { path } = await call("inviteMember", {
      body: { email, role: role === "owner" || role === "admin" ? role : "agent" },
    });
    setLink({ path, email });
    made();
  });
  if (link) return <ShowLink {...link} close={close} />;
  return (
    <AskDialog title={t("people.invite")} close={close}>
      <p>{t("people.invite.text")}</p>
      <AskForm call={invite} verb={t("people.invite.create")}>
        <Field name="email" type="email" label={t("people.email")} autoFocus />
        <label>
          {t("people.role")}{" "}
          <select name="role" defaultValue="agent">
            <option value="agent">{t("people.role.agent")}</option>
            <option value="admin">{t("people.role.admin")}</option>
            {ownersToo && <option value="owner">{t("people.role.owner")}</option>}
          </select>
        </label>
      </AskForm>
      <Button onPress={close}>{t("kit.cancel")}</Button>
    </AskDialog>
  );
}

/** A link that is shown once, to be passed on. */
export function ShowLink({ path, email, close }: Made & { readonly close: () => void }) {
  const [copied, setCopied] = useState(false);
  const address = new URL(path, location.href).href;
  return (
    <AskDialog title={t("people.link")} close={close}>
      <p>{t("people.invite.made", { email })}</p>
      <TextField isReadOnly value={address}>
        <Label>{t("people.link")}</Label>
        <Input dir="ltr" onFocus={({ currentTarget }) => currentTarget.select()} />
      </TextField>
      {copied && <p role="status">{t("people.copied")}</p>}
      <div className="ask-buttons">
        <Button
          onPress={() => {
            void navigator.clipboard.writeText(address).then(() => setCopied(true));
          }}
        >
          {t("people.copy")}
        </Button>
        <Button className="primary" onPress={close}>
          {t("people.done")}
        </Button>
      </div>
    </AskDialog>
  );
}
