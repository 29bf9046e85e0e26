import { useQueryClient } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { Button, Form } from "react-aria-components";
import type { ApiError } from "../api/api-error.ts";
import { call, type AnswerOf } from "../api/call.ts";
import { Failure } from "../kit/failure.tsx";
import { Choice, TextInput } from "../kit/fields.tsx";
import { Part } from "../kit/page.tsx";
import { useCall } from "../kit/use-call.ts";
import { locale } from "../text/locale.ts";
import { t } from "../text/t.ts";
import {
  isFirst,
  smsFieldFound,
  smsFieldName,
  type Gateway,
  type GatewayName,
} from "./sms-texts.ts";
import { useFaults } from "./use-faults.ts";
import { Advanced, type Values } from "./value-fields.tsx";

type Account = AnswerOf<"readSms">["account"];

/** Choosing the gateway and entering its values. Empty secrets stay as they are. */
export function SmsForm({
  gateways,
  account,
  inUse,
  done,
}: {
  readonly gateways: readonly Gateway[];
  /** The account that was entered last. */
  readonly account: Account;
  /** A verified account sends already, and keeps sending until the test of another. */
  readonly inUse: boolean;
  readonly done: (receiptUrl: string | null) => void;
}) {
  const client = useQueryClient();
  const own = account && !account.sandbox ? account : null;
  const [provider, setProvider] = useState<GatewayName>(own?.provider ?? "twilio");
  const [values, setValues] = useState<Values>(() => ({
    ...own?.settings,
    apiUrl: own?.apiUrl ?? "",
  }));
  const gateway = gateways.find((one) => one.provider === provider);
  const save = useCall(async () => {
    const { receiptUrl } = await call("setSms", { body: { provider, ...given(gateway, values) } });
    await client.invalidateQueries({ queryKey: ["sms"] });
    done(receiptUrl);
  });
  const { faults, mended } = useFaults(save.failed, faultsOf);
  const enter = (name: string, value: string) => {
    mended(name);
    setValues((now) => ({ ...now, [name]: value }));
  };
  if (!gateway) return null;
  const kept = own?.provider === provider;
  const field = (of: Gateway["fields"][number]) => (
    <GatewayField
      key={`${provider} ${of.name}`}
      of={of}
      provider={provider}
      kept={of.secret && kept}
      value={values[of.name] ?? ""}
      fault={faults[of.name]}
      enter={(value) => enter(of.name, value)}
    />
  );
  const rest = gateway.fields.filter((one) => !isFirst(one));
  const usual = gateway.defaultApiUrl;
  const address = (
    <GatewayAddress
      of={gateway}
      value={values["apiUrl"] ?? ""}
      fault={faults["apiUrl"]}
      enter={(apiUrl) => enter("apiUrl", apiUrl)}
    />
  );
  return (
    <Part title={inUse ? t("sms.replace") : t("sms.set")}>
      {inUse && <p>{t("sms.replace.text")}</p>}
      <Form
        className="channel-form"
        validationBehavior="aria"
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          save.start();
        }}
      >
        <SmsFailure of={save.failed} />
        <Choice
          label={t("sms.gateway")}
          value={provider}
          change={(chosen) => {
            setProvider(chosen);
            setValues(
              own?.provider === chosen ? { ...own.settings, apiUrl: own.apiUrl ?? "" } : {},
            );
          }}
          options={gateways.map((one) => ({
            value: one.provider,
            name: t(`sms.gateway.${one.provider}`),
          }))}
        />
        {usual === null && address}
        {gateway.fields.filter(isFirst).map(field)}
        {(rest.length > 0 || usual) && (
          <Advanced
            key={provider}
            open={rest.some(({ name }) => name in faults) || (usual !== null && "apiUrl" in faults)}
          >
            {rest.map(field)}
            {usual && address}
          </Advanced>
        )}
        <div>
          <Button type="submit" className="primary" isPending={save.busy}>
            {t("sms.save")}
          </Button>
        </div>
      </Form>
    </Part>
  );
}

/** The values that were entered; empty ones stay as they are stored. */
function given(gateway: Gateway | undefined, values: Values) {
  const names = gateway?.fields.map(({ name }) => name) ?? [];
  const fields = Object.fromEntries(
    names.flatMap((name) => {
      const value = (values[name] ?? "").trim();
      return value === "" ? [] : [[name, value]];
    }),
  );
  const apiUrl = (values["apiUrl"] ?? "").trim();
  return { fields, ...(apiUrl !== "" && { apiUrl }) };
}

function GatewayField({
  of: { name, required },
  provider,
  kept,
  value,
  fault,
  enter,
}: {
  readonly of: Gateway["fields"][number];
  readonly provider: GatewayName;
  /** A secret that is stored already. */
  readonly kept: boolean;
  readonly value: string;
  readonly fault: string | undefined;
  readonly enter: (value: string) => void;
}) {
  const hint = smsFieldFound(provider, name);
  return (
    <TextInput
      name={name}
      code
      label={required ? smsFieldName(name) : `${smsFieldName(name)} (${t("sms.optional")})`}
      value={value}
      onChange={enter}
      fault={fault}
      autoComplete="off"
      spellCheck="false"
      {...(["body", "headers", "errorCodes"].includes(name) && { rows: 3 })}
      {...(hint !== undefined && { hint })}
      {...(kept && { placeholder: t("sms.kept") })}
    />
  );
}

function GatewayAddress({
  of: gateway,
  value,
  fault,
  enter,
}: {
  readonly of: Gateway;
  readonly value: string;
  readonly fault: string | undefined;
  readonly enter: (value: string) => void;
}) {
  return (
    <TextInput
      name="apiUrl"
      code
      label={t("sms.field.apiUrl")}
      hint={addressHint(gateway)}
      value={value}
      onChange={enter}
      fault={fault}
      autoComplete="off"
    />
  );
}

function addressHint({ provider, defaultApiUrl }: Gateway): string {
  if (provider === "smpp") return t("sms.field.apiUrl.smpp");
  return defaultApiUrl === null
    ? t("sms.field.apiUrl.must")
    : t("sms.field.apiUrl.own", { address: defaultApiUrl });
}

/** Below each field: the server's words. In Arabic our own sentence, with the server's words above. */
function faultsOf(error: ApiError | null): Record<string, string> {
  if (error?.code !== "VALIDATION_FAILED") return {};
  return Object.fromEntries(
    error.details.map(({ path, message }) => [
      path,
      message.startsWith("is required")
        ? t("channels.fault.required")
        : locale === "en"
          ? `${smsFieldName(path)} ${message}`
          : t("sms.fault.value"),
    ]),
  );
}

function SmsFailure({ of: error }: { readonly of: ApiError | null }) {
  if (error?.code !== "VALIDATION_FAILED") return <Failure of={error} />;
  return (
    <div role="alert" className="failure">
      <p>
        {t("kit.error.validation")}{" "}
        <strong>{error.details.map(({ path }) => smsFieldName(path)).join(" · ")}</strong>
      </p>
    </div>
  );
}
