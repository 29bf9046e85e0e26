import { answerPlace, SEALED_ANSWER } from "../api-keys/kept-answers.ts";
import { botSecretPlace } from "../bots/external/bot-secret.ts";
import { accountPlace } from "../channels/account-secrets.ts";
import { recoveryHash, totpPlace } from "../logins/two-factor.ts";
import { sourcePlace } from "../media/attach-inbound.ts";
import { modelKeyPlace } from "../models/model.ts";
import { keysPlace } from "../persons/erasure.ts";
import { smsSecretsPlace } from "../sms/sms-provider.ts";
import { addressPlace, secretPlace } from "../webhooks/endpoint.ts";
import { letterPlace } from "../workspaces/letter.ts";

/** The columns by which a row is found, and by which its place is made. */
export type RowKey = Readonly<Record<string, string>>;

interface Column {
  /** The primary key, in its order, with its types. */
  readonly key: Readonly<Record<string, "uuid" | "text" | "bytea">>;
}

/** A column whose values are sealed. */
export interface SealedColumn extends Column {
  readonly holds: "sealed";
  /** Null: the column is bytea. Else it is text, and what follows this is a sealed value in base64. */
  readonly after?: string;
  /** More that the place is made of: a name and its SQL over the row `t`. */
  readonly also?: Readonly<Record<string, string>>;
  readonly place: (row: RowKey) => string;
}

/** A column of hashes that are hashed once more. */
export interface HashedColumn extends Column {
  readonly holds: "hash";
  readonly purpose: "recovery-code" | "erased number";
  /** What a stored value begins with that is such a hash. */
  readonly begins: string;
  /** bytea holds the hash in another form. */
  readonly bytes?: typeof recoveryHash;
}

/** A value of the row's key; the statement reads all of them. */
function of(row: RowKey, name: string): string {
  const value = row[name];
  if (value === undefined) throw new Error(`a sealed row lacks ${name}`);
  return value;
}

const OWN = { workspace_id: "uuid", id: "uuid" } as const;
const own = (place: (workspaceId: string, id: string) => string) => (row: RowKey) =>
  place(of(row, "workspace_id"), of(row, "id"));

/**
 * Every column of the database that a master key sealed, and every column of hashes that it made and that are kept for
 * good. A rotation rewrites them. A column that lacks here could not be read after one: `rotate-master-key.test.ts` walks
 * the catalogue.
 */
export const KEYED_COLUMNS = {
  "login.totp_sealed": {
    holds: "sealed",
    key: { id: "uuid" },
    place: (row) => totpPlace(of(row, "id")),
  },
  "letter.sealed": {
    holds: "sealed",
    key: { id: "uuid" },
    place: (row) => letterPlace(of(row, "id")),
  },
  "idempotency_key.body": {
    holds: "sealed",
    after: SEALED_ANSWER,
    key: { workspace_id: "uuid", api_key_id: "uuid", key: "text" },
    place: (row) =>
      answerPlace({
        workspaceId: of(row, "workspace_id"),
        callerId: of(row, "api_key_id"),
        key: of(row, "key"),
      }),
  },
  "sms_provider.secrets_sealed": { holds: "sealed", key: OWN, place: own(smsSecretsPlace) },
  "sms_provider_next.secrets_sealed": {
    holds: "sealed",
    key: { workspace_id: "uuid" },
    also: {
      provider_id: "(select p.id from sms_provider p where p.workspace_id = t.workspace_id)",
    },
    place: (row) => smsSecretsPlace(of(row, "workspace_id"), of(row, "provider_id")),
  },
  "channel.secrets_sealed": { holds: "sealed", key: OWN, place: own(accountPlace) },
  "media.source_sealed": {
    holds: "sealed",
    key: OWN,
    place: own((workspaceId, id) => sourcePlace({ workspaceId, id })),
  },
  "model.key_sealed": {
    holds: "sealed",
    key: { workspace_id: "uuid" },
    place: (row) => modelKeyPlace(of(row, "workspace_id")),
  },
  "person_erasure.keys_sealed": { holds: "sealed", key: OWN, place: own(keysPlace) },
  "endpoint.url_sealed": { holds: "sealed", key: OWN, place: own(addressPlace) },
  "endpoint.secret_sealed": { holds: "sealed", key: OWN, place: own(secretPlace) },
  "endpoint.old_secret_sealed": { holds: "sealed", key: OWN, place: own(secretPlace) },
  "bot_secret.sealed": {
    holds: "sealed",
    key: { workspace_id: "uuid", bot_id: "uuid" },
    place: (row) => botSecretPlace(of(row, "workspace_id"), of(row, "bot_id")),
  },
  "recovery_code.hash": {
    holds: "hash",
    purpose: "recovery-code",
    begins: "",
    bytes: recoveryHash,
    key: { login_id: "uuid", hash: "bytea" },
  },
  "opted_out_phone.phone": {
    holds: "hash",
    purpose: "erased number",
    begins: "#",
    key: { workspace_id: "uuid", phone: "text" },
  },
  "consent_entry.phone": { holds: "hash", purpose: "erased number", begins: "#", key: OWN },
  "otp_record.mobile": { holds: "hash", purpose: "erased number", begins: "#", key: OWN },
} as const satisfies Record<string, SealedColumn | HashedColumn>;
