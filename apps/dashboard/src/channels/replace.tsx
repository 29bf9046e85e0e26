import { useState, type FormEvent } from "react";
import { Button, Form } from "react-aria-components";
import { call } from "../api/call.ts";
import { AskDialog } from "../kit/dialog.tsx";
import { TextInput } from "../kit/fields.tsx";
import { useCall } from "../kit/use-call.ts";
import { t } from "../text/t.ts";
import { ConnectFailure } from "./connect-form.tsx";
import { channelFaults } from "./faults.ts";
import type { Channel, ChannelForm } from "./platforms.ts";
import { useFaults } from "./use-faults.ts";
import { Advanced, ValueFields, type Values } from "./value-fields.tsx";

interface Asked {
  readonly channel: Channel;
  readonly close: () => void;
  /** Called after a change, with the words to show. */
  readonly done: (words: string) => Promise<void>;
}

/** A new name for a channel. */
export function Rename({ channel, close, done }: Asked) {
  const [name, setName] = useState(channel.name);
  const save = useCall(async () => {
    await call("changeChannel", { params: { id: channel.id }, body: { name: name.trim() } });
    await done(t("kit.saved"));
  });
  const { faults, mended } = useFaults(save.failed, channelFaults);
  return (
    <AskDialog title={t("channels.rename")} close={close}>
      <Form
        className="channel-form"
        validationBehavior="aria"
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          save.start();
        }}
      >
        <ConnectFailure call={save} />
        <TextInput
          autoFocus
          name="name"
          label={t("channels.field.name")}
          value={name}
          onChange={(text) => {
            mended("name");
            setName(text);
          }}
          fault={faults["name"]}
        />
        <Buttons close={close} busy={save.busy} ready={name.trim() !== ""} />
      </Form>
    </AskDialog>
  );
}

/**
 * New values for an account: its platform is asked about them before they are stored. Empty values stay as they
 * are.
 */
export function Replace({ channel, form, close, done }: Asked & { readonly form: ChannelForm }) {
  const names = form.fields.filter(({ changeable }) => changeable).map(({ name }) => name);
  const [before] = useState<Values>(() => ({
    ...channel.settings,
    apiUrl: channel.apiUrl ?? "",
  }));
  const [values, setValues] = useState(before);
  const changed = [...names, "apiUrl"].filter(
    (name) => (values[name] ?? "").trim() !== (before[name] ?? ""),
  );
  const save = useCall(async () => {
    const fields = Object.fromEntries(
      changed
        .filter((name) => name !== "apiUrl")
        .map((name) => [name, (values[name] ?? "").trim()]),
    );
    const apiUrl = changed.includes("apiUrl") ? (values["apiUrl"] ?? "").trim() : undefined;
    await call("changeChannel", {
      params: { id: channel.id },
      body: { fields, ...(apiUrl !== undefined && { apiUrl }) },
    });
    await done(t("channels.replaced"));
  });
  const { faults, mended } = useFaults(save.failed, channelFaults);
  const parts = {
    form,
    values,
    faults,
    change(name: string, value: string) {
      mended(name);
      setValues((now) => ({ ...now, [name]: value }));
    },
    placeholder: t("channels.replace.kept"),
  };
  return (
    <AskDialog wide title={t("channels.replace")} close={close}>
      <p>{t("channels.replace.text")}</p>
      <Form
        className="channel-form"
        validationBehavior="aria"
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          save.start();
        }}
      >
        <ConnectFailure call={save} />
        <ValueFields names={names} {...parts} />
        <Advanced open={"apiUrl" in faults}>
          <ValueFields names={["apiUrl"]} {...parts} />
        </Advanced>
        <Buttons close={close} busy={save.busy} ready={changed.length > 0} />
      </Form>
    </AskDialog>
  );
}

function Buttons({
  close,
  busy,
  ready,
}: {
  readonly close: () => void;
  readonly busy: boolean;
  readonly ready: boolean;
}) {
  return (
    <div className="ask-buttons">
      <Button onPress={close}>{t("kit.cancel")}</Button>
      <Button type="submit" className="primary" isDisabled={!ready} isPending={busy}>
        {t("kit.save")}
      </Button>
    </div>
  );
}
