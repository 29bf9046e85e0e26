import type { TikTokBusiness } from "./options.ts";

/** One event before it is put in its envelope. */
export interface TikTokEvent {
  readonly event: string;
  /** Milliseconds. */
  readonly at: number;
  readonly content: Readonly<Record<string, unknown>>;
}

export const DEFAULT_APP_ID = "7300000000000000000";

/**
 * An event as it is posted: `content` is JSON in a string, with times in seconds there and in milliseconds outside
 * it.
 */
export function envelope(business: TikTokBusiness, { event, at, content }: TikTokEvent): object {
  return {
    client_key: business.appId ?? DEFAULT_APP_ID,
    event,
    create_time: Math.floor(at / 1000),
    user_openid: business.businessId,
    content: JSON.stringify(content),
  };
}

export interface Person {
  readonly id: string;
  readonly name: string;
}

interface Spoken {
  readonly id: string;
  readonly conversationId: string;
  readonly at: number;
  /** Type and content in the words of events: lower-case. */
  readonly message: Readonly<Record<string, unknown>>;
  readonly replyTo?: string | undefined;
}

const nameOf = (business: TikTokBusiness) => business.username ?? `shop_${business.businessId}`;

function spoken({ id, conversationId, at, message, replyTo }: Spoken): object {
  const quote = { referenced_message_info: { referenced_message_id: replyTo } };
  return {
    conversation_id: conversationId,
    message_id: id,
    timestamp: at,
    ...message,
    ...(replyTo === undefined ? {} : quote),
  };
}

/** `im_receive_msg`: the customer wrote. */
export function received(business: TikTokBusiness, customer: Person, message: Spoken): TikTokEvent {
  const content = {
    ...spoken(message),
    from: customer.name,
    from_user: { id: customer.id, role: "personal_account" },
    to: nameOf(business),
    to_user: { id: business.businessId, role: "business_account" },
    unique_identifier: uniqueIdOf(customer),
    scene_type: 1,
    is_follower: false,
    message_tag: { source: "APP" },
  };
  return { event: "im_receive_msg", at: message.at, content };
}

/** `im_send_msg`: the business wrote, through the API or by hand. */
export function echoed(
  business: TikTokBusiness,
  customer: Person,
  message: Spoken,
  source: "API" | "APP" | "WEB",
): TikTokEvent {
  const content = {
    ...spoken(message),
    from: nameOf(business),
    from_user: { id: business.businessId, role: "business_account" },
    to: customer.name,
    to_user: { id: customer.id, role: "personal_account" },
    unique_identifier: uniqueIdOf(customer),
    scene_type: 1,
    is_follower: false,
    message_tag: { source },
  };
  return { event: "im_send_msg", at: message.at, content };
}

/** `im_mark_read_msg`: the customer read everything up to a time. */
export function markedRead(customer: Person, conversationId: string, at: number): TikTokEvent {
  const content = {
    conversation_id: conversationId,
    read: { last_read_timestamp: at },
    from_user: { id: customer.id, role: "personal_account" },
    unique_identifier: uniqueIdOf(customer),
  };
  return { event: "im_mark_read_msg", at, content };
}

/** `im_referral_msg`: the customer came by an advertisement or a link and has not written. It has no message id. */
export function referred(
  business: TikTokBusiness,
  customer: Person,
  conversationId: string,
  at: number,
  referral: Readonly<Record<string, unknown>>,
): TikTokEvent {
  const content = {
    from: customer.name,
    from_user: { id: customer.id, role: "personal_account" },
    to: nameOf(business),
    to_user: { id: business.businessId, role: "business_account" },
    unique_identifier: uniqueIdOf(customer),
    conversation_id: conversationId,
    timestamp: at,
    is_follower: false,
    referral,
  };
  return { event: "im_referral_msg", at, content };
}

/** `im_receive_msg_eu`: somebody in the EEA, Switzerland or the United Kingdom wrote; nothing more is told. */
export function receivedInEurope(business: TikTokBusiness, at: number): TikTokEvent {
  const to_user = { id: business.businessId, role: "business_account" };
  return {
    event: "im_receive_msg_eu",
    at,
    content: { to: nameOf(business), to_user, timestamp: at },
  };
}

/** The second id of a customer, the same in all of the platform's interfaces. */
const uniqueIdOf = (customer: Person): string => `MS4w${customer.id}`;
