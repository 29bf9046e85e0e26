import { useState } from "react";
import { Button, Input, Label, TextField } from "react-aria-components";
import { call } from "../api/call.ts";
import { AskForm, Field } from "../kit/ask-form.tsx";
import { copyText } from "../kit/copy-text.ts";
import { Choice } from "../kit/fields.tsx";
import { useCall } from "../kit/use-call.ts";
import { t } from "../text/t.ts";
import { AskDialog } from "../kit/dialog.tsx";

const ROLES = ["agent", "admin", "owner"] as const;

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
  const [role, setRole] = useState<(typeof ROLES)[number]>("agent");
  const roles = ROLES.filter((one) => ownersToo || one !== "owner");
  const invite = useCall(async (texts: ReadonlyMap<string, string>) => {
    const email = texts.get("email") ?? "";
    const { path } = await call("inviteMember", { body: { email, role } });
    setLink({ path, email });
    made();
  });
  if (link) return <ShowLink {...link} close={close} />;
  return (
    <AskDialog title={t("people.invite")} close={close}>
      <p>{t("people.invite.text")}</p>
      <AskForm call={invite} cancel={close} verb={t("people.invite.create")}>
        <Field name="email" type="email" label={t("people.email")} autoFocus />
        <Choice
          label={t("people.role")}
          name="role"
          options={roles.map((value) => ({ value, name: t(`people.role.${value}`) }))}
          value={role}
          change={setRole}
        />
      </AskForm>
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
            void copyText(address).then(() => setCopied(true));
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
