import type { ChannelStatus, ChannelType } from "../wire/words.ts";

/** A connected account of a workspace, without its secrets. */
export interface Channel {
  readonly id: string;
  readonly workspaceId: string;
  readonly type: ChannelType;
  readonly name: string;
  readonly status: ChannelStatus;
  /** Why it is in error: the platform's code and words. */
  readonly statusReason: string | null;
  /** The account's id at the platform (WhatsApp phone_number_id …). */
  readonly externalId: string;
  readonly sandbox: boolean;
  readonly settings: Readonly<Record<string, string>>;
  /** Null: the platform's own address. */
  readonly apiUrl: string | null;
  /** While in the future: the platform asked us to wait until then. */
  readonly throttledUntil: Date | null;
  /** When its lists at the platform (templates) were last read completely, and what went wrong since. */
  readonly syncedAt: Date | null;
  readonly syncError: string | null;
  /** When a call of its platform was last accepted, to the minute. */
  readonly lastWebhookAt: Date | null;
  /** Calls with a wrong signature, from the first to the last. After a day without one the count begins anew. */
  readonly wrongSignatures: number;
  readonly wrongSignaturesSince: Date | null;
  readonly wrongSignatureAt: Date | null;
  /** When its platform last asked with a wrong verify token. */
  readonly wrongVerifyTokenAt: Date | null;
  readonly createdAt: Date;
}
