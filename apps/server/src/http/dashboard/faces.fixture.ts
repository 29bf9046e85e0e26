import { aiDocumentExample } from "../../wire/bot.ts";
import assert from "node:assert/strict";
import type { SandboxShop, SandboxStand } from "../../../test/sandbox-stand.ts";
import { MEMBER_ROLES, OPERATOR, type MemberRole } from "../../actor.ts";
import { sql } from "../../db/sql.ts";
import { recordGap } from "../../knowledge/record-gap.ts";
import { suggestReply } from "../../inbox/suggest-reply.ts";
import { createMember } from "../../workspaces/create-member.ts";
import { api } from "./contract/api.ts";
import { recipientsFile } from "./contract/campaigns.ts";
import { contactExport, personExport } from "./contract/contacts.ts";
import { operationsAt, type OperationName } from "../../operations/all.ts";
import { laidOut, placesOf } from "../../operations/operation.ts";
import type { AppFace } from "./contract/face.ts";
import { importUpload, refusedRows } from "./contract/imports.ts";
import { knowledgeUpload } from "./contract/knowledge.ts";
import { memberFile, replyFile } from "./contract/thread.ts";

/** Every face of the dashboard's API by its name, those that are served apart too. */
export const FACES = {
  ...api,
  memberFile,
  replyFile,
  recipientsFile,
  importUpload,
  refusedRows,
  knowledgeUpload,
  contactExport,
  personExport,
} as const satisfies Readonly<Record<string, AppFace>>;

const PASSWORD = "correct horse battery";
const OURS = { "x-parley": "1", "sec-fetch-site": "same-origin" };

/** Ids and names of what a workspace has, one of each kind. */
const KINDS = [
  "conversation",
  "contact",
  "otherContact",
  "message",
  "colleague",
  "note",
  "suggestion",
  "otherSuggestion",
  "label",
  "savedReply",
  "view",
  "notice",
  "file",
  "savedFile",
  "otherSavedFile",
  "session",
  "invitation",
  "channel",
  "web",
  "template",
  "segment",
  "bot",
  "case",
  "caseRun",
  "turn",
  "source",
  "gap",
  "campaign",
  "endedCampaign",
  "key",
  "endpoint",
  "delivery",
  "import",
  "endedImport",
  "job",
  "erasure",
  "word",
] as const;
type Kind = (typeof KINDS)[number];
export type Stock = Readonly<Record<Kind, string>>;

/** One request to a face. */
export interface Asking {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** A text is sent as a file. */
  readonly body?: object | string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Of the JSON: the same body in other bytes. */
  readonly indent?: number;
}

/** How a face is asked rightly, and what is said of it that holds for no other. */
export interface Entry {
  readonly ask: (stock: Stock, role: MemberRole) => Asking;
  /** It is no fault when the workspace's own things are answered so. */
  readonly own?: string;
  /** Ids that only choose what is shown or changed, or are left out when nobody has them: such a request is a success. */
  readonly choosing?: readonly Kind[];
}
const plain: Entry = { ask: () => ({}) };
const at = (kind: Kind, rest: Asking = {}): Entry => ({
  ask: (stock) => ({ params: { id: stock[kind] }, ...rest }),
});

const CASE = { question: "How long is the delivery?", mustHold: ["2 days"] };
const SNIPPET = { lang: "en", title: "Delivery", text: "We deliver within two days." };
const RULES = { match: "all", rules: [{ field: "name", op: "contains", value: "a" }] };
const unique = () => crypto.randomUUID();
const draftOf = (stock: Stock) => ({
  name: "News",
  kind: "WHATSAPP_TEMPLATE",
  channelId: stock.channel,
  templateId: stock.template,
  segmentId: stock.segment,
  variables: { "1": "friend" },
});
const templateWords = { body: "We are open again.", bodyExamples: [], buttons: [] };

/** A declared operation is asked as its example says. */
const declaredEntries = (): Readonly<Record<string, Entry>> =>
  Object.fromEntries(
    operationsAt("app").map(([name, operation]) => {
      const { named } = placesOf(operation);
      const { query, body } = laidOut(placesOf(operation), operation.example.input);
      const params = Object.fromEntries(
        Object.entries(operation.example.input)
          .filter(([one]) => named.includes(one))
          .map(([one, value]) => [one, String(value)]),
      );
      const asking = {
        params,
        query: textsOf(query),
        ...(operation.at.startsWith("P") && { body }),
      };
      return [name, { ask: () => asking }];
    }),
  );
const textsOf = (values: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));

type ByHand = Exclude<keyof typeof FACES, OperationName>;
type Declared = Extract<keyof typeof FACES, OperationName>;
/**
 * A right request for each face. A new face does not compile without one, unless it is declared. What ends something
 * stands behind what still needs it.
 */
const BY_HAND: { readonly [Name in ByHand]: Entry | "for anybody" } & {
  readonly [Name in Declared]?: Entry;
} = {
  bootstrap: plain,
  listConversations: {
    ask: ({ channel }) => ({ query: { view: `channel-${channel}` } }),
    choosing: ["channel"],
  },
  countViews: plain,
  openConversation: at("conversation"),
  readThread: {
    ask: ({ conversation, message }) => ({
      params: { id: conversation },
      query: { again: message },
    }),
    choosing: ["message"],
  },
  sendReply: {
    ask: ({ conversation, file }) => ({
      params: { id: conversation },
      body: { clientId: unique(), text: "Yes", media: [file] },
    }),
  },
  useSuggestion: {
    ask: ({ suggestion }) => ({
      params: { id: suggestion },
      body: { clientId: unique(), text: "Yes" },
    }),
  },
  listSuggestions: at("conversation"),
  readBot: at("bot"),
  saveBotDraft: at("bot", { body: { document: { ...aiDocumentExample } } }),
  // The bot of the fixture is no flow.
  previewBot: { ...at("bot", { body: { said: [] } }), own: "NOT_ALLOWED_IN_STATE" },
  // One of its cases was never run.
  publishBot: at("bot", { body: { untested: true } }),
  testExternalBot: { ...at("bot"), own: "NOT_ALLOWED_IN_STATE" },
  // The bot of the fixture has no look-up: that is an outcome.
  testLookup: at("bot", { body: { name: "order_status", arguments: {} } }),
  makeBotSecret: { ...at("bot"), own: "NOT_ALLOWED_IN_STATE" },
  // Without a model nothing is asked.
  askBot: { ...at("bot", { body: { text: "Where is my order?" } }), own: "NOT_ALLOWED_IN_STATE" },
  listCases: at("bot"),
  addCase: at("bot", { body: CASE }),
  saveCase: { ask: ({ bot, case: caseId }) => ({ params: { id: bot, caseId }, body: CASE }) },
  runCases: { ...at("bot", { body: {} }), own: "NOT_ALLOWED_IN_STATE" },
  readCaseRun: { ask: ({ bot, caseRun }) => ({ params: { id: bot, runId: caseRun } }) },
  listTurns: at("bot"),
  readTurn: at("turn"),
  rateTurn: at("turn", { body: { good: true } }),
  // Without a model nothing is written.
  summarise: { ...at("conversation", { body: {} }), own: "NOT_ALLOWED_IN_STATE" },
  translate: {
    ask: ({ conversation }) => ({
      params: { id: conversation },
      body: { messageId: unique(), to: "ar" },
    }),
    own: "NOT_FOUND",
  },
  // The model that the walk has set does not answer.
  suggestQuestions: { ...at("source", { body: {} }), own: "MODEL_UNAVAILABLE" },
  rewrite: {
    ask: () => ({ body: { text: "we open at 9", how: "formal" } }),
    own: "NOT_ALLOWED_IN_STATE",
  },
  askSuggestion: { ...at("conversation", { body: {} }), own: "NOT_ALLOWED_IN_STATE" },
  readSource: at("source"),
  saveSource: at("source", { body: SNIPPET }),
  // The saved reply of the fixture is the member's own.
  addSavedReplies: {
    ask: ({ savedReply }) => ({ body: { savedReplyIds: [savedReply] } }),
    own: "VALIDATION_FAILED",
  },
  // A snippet is read when it is saved.
  refreshSource: { ...at("source"), own: "NOT_ALLOWED_IN_STATE" },
  pauseBot: at("bot"),
  resumeBot: at("bot"),
  listBotVersions: at("bot"),
  restoreBotVersion: { ask: ({ bot }) => ({ params: { id: bot, n: "1" } }) },
  takeOver: at("conversation"),
  giveBack: at("conversation"),
  readRun: { ...at("conversation"), own: "NOT_FOUND" },
  sendTemplate: {
    ask: ({ conversation, template }) => ({
      params: { id: conversation },
      body: { clientId: unique(), templateId: template, variables: ["friend"] },
    }),
  },
  startConversation: {
    ask: ({ otherContact, channel, template }) => ({
      params: { id: otherContact },
      body: {
        clientId: unique(),
        channelId: channel,
        templateId: template,
        variables: ["friend"],
      },
    }),
  },
  writeNote: {
    ask: ({ conversation, colleague }) => ({
      params: { id: conversation },
      body: { text: "Look", mentions: [colleague] },
    }),
    choosing: ["colleague"],
  },
  changeNote: {
    ask: ({ note, colleague }) => ({
      params: { id: note },
      body: { text: "Look again", mentions: [colleague] },
    }),
    choosing: ["colleague"],
  },
  changeConversations: {
    ask: ({ conversation, colleague }) => ({
      body: { which: { ids: [conversation] }, assigneeId: colleague, addLabels: ["vip"] },
    }),
    choosing: ["conversation"],
  },
  markSeen: at("conversation", { body: { seen: 1 } }),
  markReadForAll: at("conversation"),
  saveDraft: {
    ask: ({ conversation, file }) => ({
      params: { id: conversation },
      body: { mode: "reply", text: "Perhaps", media: [file] },
    }),
    choosing: ["file"],
  },
  editContact: at("contact", { body: { email: "huda@example.com" } }),
  createSavedReply: {
    ask: ({ savedFile }, role) => ({
      body: {
        shortcut: `new-${role}-${unique().slice(0, 8)}`,
        title: "Hello",
        text: "Hello",
        media: [savedFile],
        shared: role !== "agent",
      },
    }),
  },
  updateSavedReply: {
    ask: ({ savedReply, otherSavedFile }) => ({
      params: { id: savedReply },
      body: { title: "Hello again", media: [otherSavedFile] },
    }),
  },
  readSavedFiles: at("savedReply"),
  attachSavedFiles: at("savedReply"),
  createView: {
    ask: ({ channel, colleague }, role) => ({
      body: {
        name: "Ours",
        filter: {
          all: [[{ field: "channel", any: [channel] }], [{ field: "assignee", any: [colleague] }]],
        },
        shared: role !== "agent",
      },
    }),
    choosing: ["channel", "colleague"],
  },
  updateView: at("view", { body: { name: "Ours still" } }),
  search: { ask: () => ({ query: { q: "Zubaida" } }) },
  tellPresence: {
    ask: ({ conversation }) => ({
      body: { tab: "one", conversationId: conversation, typing: true },
    }),
    choosing: ["conversation"],
  },
  listNotices: plain,
  markNoticesRead: { ask: ({ notice }) => ({ body: { ids: [notice] } }), choosing: ["notice"] },
  saveSettings: { ask: () => ({ body: { theme: "dark" } }) },
  readAcross: at("contact"),
  listSendableTemplates: at("conversation"),
  memberFile: at("file"),
  replyFile: { ask: () => ({ query: { name: "a.txt" }, body: "bytes" }) },

  readSetUp: "for anybody",
  setUp: "for anybody",
  signIn: "for anybody",
  verifyCode: "for anybody",
  readSignedIn: plain,
  listSessions: plain,
  proveAgain: { ask: () => ({ body: { password: PASSWORD } }) },
  checkProven: plain,

  listTeam: plain,
  inviteMember: {
    ask: () => ({ body: { email: `${unique()}@example.com`, role: "agent" } }),
  },
  changeMember: at("colleague", { body: { role: "agent" } }),
  makeResetLink: at("colleague"),
  endMemberSessions: at("colleague"),
  resetTwoFactor: at("colleague"),
  withdrawInvitation: at("invitation"),
  readResets: "for anybody",
  askForReset: "for anybody",
  useResetLink: "for anybody",
  readInvitation: "for anybody",
  useInvitation: "for anybody",

  readTwoFactor: plain,
  proposeTwoFactor: plain,
  switchOnTwoFactor: {
    ask: () => ({ body: { proposal: "none", code: "123456" } }),
    own: "VALIDATION_FAILED",
  },
  switchOffTwoFactor: {
    ask: () => ({ body: { code: "123456" } }),
    own: "NOT_ALLOWED_IN_STATE",
  },
  renewRecoveryCodes: { ask: () => ({}), own: "NOT_ALLOWED_IN_STATE" },

  saveProfile: { ask: () => ({ body: { name: "Mona" } }) },
  setAvailability: { ask: () => ({ body: { availability: "online" } }) },
  readWorkspace: plain,
  saveWorkspace: { ask: () => ({ body: { timeZone: "Asia/Kuwait" } }) },
  deleteWorkspace: {
    ask: () => ({ body: { name: "not its name" } }),
    own: "VALIDATION_FAILED",
  },

  listPhones: plain,
  addSandboxChannel: { ask: () => ({ body: { type: "TELEGRAM" } }) },
  readPhone: at("channel", { query: { customer: "96550000001" } }),
  sayOnPhone: at("channel", { body: { customer: "96550000001", text: "More" } }),
  readPhoneCustomer: at("conversation"),
  sendOnPhone: at("channel", { body: { customer: "96550000001", what: "photo" } }),
  pressOnPhone: at("channel", {
    body: { customer: "96550000001", messageId: "wamid.1", button: "Yes" },
  }),
  setPhoneFault: at("channel", { body: { kind: "rejected" } }),
  clearPhoneFaults: at("channel"),
  repairSandboxChannel: at("channel"),

  listChannels: plain,
  readChannel: at("channel"),
  connectChannel: { ask: () => ({ body: { type: "WEB", name: "Site", fields: {} } }) },
  changeChannel: at("channel", { body: { name: "Main" } }),
  testChannel: at("channel"),
  setChannelPace: at("channel", { body: { most: 600 } }),
  changeWebChannel: at("web", { body: { greeting: "Hello" } }),
  readSms: plain,
  setSms: {
    ask: () => ({
      body: {
        provider: "twilio",
        fields: {
          accountSid: "AC00000000000000000000000000000000",
          authToken: "secret",
          from: "+15005550006",
        },
      },
    }),
    own: "VALIDATION_FAILED",
  },
  setOtpLimit: { ask: () => ({ body: { perNumber: 5 } }) },
  discardSms: { ask: () => ({}), own: "NOT_FOUND" },
  sendPasscode: {
    ask: () => ({ body: { mobile: "96550000001", message: "Your code is 482913" } }),
    own: "SMS_PROVIDER_NOT_VERIFIED",
  },
  listPasscodes: plain,
  testSms: { ask: () => ({ body: { to: "96550000001" } }), own: "SMS_PROVIDER_NOT_CONFIGURED" },

  listKeys: plain,
  createKey: { ask: () => ({ body: { name: "Shop", scopes: ["contacts:read"] } }) },
  listEndpoints: plain,
  createEndpoint: { ask: () => ({ body: { url: "http://127.0.0.1:9/in", events: [] } }) },
  readWebhookEndpoint: at("endpoint"),
  updateEndpoint: at("endpoint", { body: { events: [] } }),
  rotateWebhookSecret: at("endpoint", { body: { now: true } }),
  testWebhookEndpoint: at("endpoint"),
  listWebhookDeliveries: at("endpoint"),
  readWebhookDelivery: {
    ask: ({ endpoint, delivery }) => ({ params: { id: endpoint, eventId: delivery } }),
  },
  redeliverEvents: {
    ask: ({ endpoint, delivery }) => ({ params: { id: endpoint }, body: { eventId: delivery } }),
  },
  switchEndpoint: at("endpoint", { body: { enabled: false } }),
  listConsentWords: plain,
  addConsentWord: { ask: () => ({ body: { text: unique().slice(0, 8), wish: "stop" } }) },
  listAudit: {
    ask: ({ colleague, campaign }) => ({
      query: { actor: `member:${colleague}`, subject: campaign },
    }),
    choosing: ["colleague", "campaign"],
  },
  listAdminNotices: plain,

  listCampaigns: plain,
  campaignChoices: plain,
  campaignTemplates: {
    ask: ({ channel }) => ({ query: { channelId: channel } }),
    choosing: ["channel"],
  },
  reachAudience: {
    ask: ({ segment, channel }) => ({ body: { segmentId: segment, channelId: channel } }),
  },
  sampleAudience: {
    ask: ({ segment, channel }) => ({ body: { segmentId: segment, channelId: channel } }),
  },
  estimateDraft: {
    ask: (stock) => ({ body: { id: stock.campaign, draft: draftOf(stock) } }),
  },
  previewDraft: {
    ask: (stock) => ({ body: { id: stock.campaign, draft: draftOf(stock), count: 2 } }),
  },
  findTestPeople: { ask: () => ({ query: { search: "Zubaida" } }) },
  createBroadcast: { ask: (stock) => ({ body: draftOf(stock) }) },
  readCampaign: at("campaign"),
  breakBroadcastDown: at("endedCampaign", { query: { by: "tag" } }),
  replaceCampaign: {
    ask: (stock) => ({ params: { id: stock.campaign }, body: draftOf(stock) }),
  },
  estimateBroadcast: at("campaign"),
  testBroadcast: {
    ask: ({ campaign, contact }) => ({
      params: { id: campaign },
      body: { contactIds: [contact] },
    }),
  },
  scheduleCampaign: at("campaign", { body: { wall: "2099-01-01T10:00" } }),
  unscheduleBroadcast: at("campaign"),
  startCampaign: at("campaign"),
  paceBroadcast: at("campaign", { body: { rateLimitPerMinute: 60 } }),
  pauseBroadcast: { ...at("campaign"), own: "NOT_ALLOWED_IN_STATE" },
  duplicateBroadcast: {
    ask: ({ campaign, channel }) => ({ params: { id: campaign }, body: { channelId: channel } }),
  },
  cancelBroadcast: at("campaign"),
  resendFailed: { ...at("endedCampaign", { body: {} }), own: "VALIDATION_FAILED" },
  resendUnknown: { ...at("endedCampaign"), own: "NOT_ALLOWED_IN_STATE" },
  campaignReport: at("endedCampaign"),
  readBroadcastTimeline: at("endedCampaign", { query: { by: "day" } }),
  compareBroadcastVariants: { ...at("endedCampaign"), own: "NOT_ALLOWED_IN_STATE" },
  listRecipients: at("endedCampaign"),
  listBroadcastReplies: at("endedCampaign"),
  recipientsFile: at("endedCampaign"),

  readStart: plain,
  listTemplates: { ask: ({ channel }) => ({ query: { channel } }), choosing: ["channel"] },
  readTemplate: at("template"),
  createTemplate: {
    ask: ({ channel }) => ({
      body: {
        channelId: channel,
        name: `open_${unique().slice(0, 8)}`,
        language: "en_US",
        category: "UTILITY",
        ...templateWords,
      },
    }),
  },
  editTemplate: at("template", { body: templateWords }),
  syncTemplates: at("channel"),
  readUsage: plain,

  listContacts: { ask: ({ segment }) => ({ query: { segment } }) },
  countContacts: { ask: ({ segment }) => ({ query: { segment } }) },
  readContactFilter: { ask: ({ segment }) => ({ query: { segment } }) },
  contactExport: { ask: ({ segment }) => ({ query: { segment } }) },
  createContact: { ask: () => ({ body: { name: "New", phone: "96550000077" } }) },
  personExport: at("contact"),
  readPerson: at("contact"),
  listContactTimeline: at("contact"),
  readConsent: at("contact"),
  changeConsent: {
    ask: ({ contact }, role) => ({
      params: { id: contact },
      body: { optedOut: role !== "admin" },
    }),
  },
  listFirstTemplates: {
    ask: ({ contact, channel }) => ({ params: { id: contact }, query: { channelId: channel } }),
    choosing: ["channel"],
  },
  startContactJob: {
    ask: ({ contact }) => ({
      body: { ids: [contact], change: { action: "tag", tags: ["regular"] } },
    }),
    choosing: ["contact"],
  },
  moveContactJob: at("job", { body: { move: "pause" } }),
  listAttributes: plain,
  putContactAttribute: { ask: () => ({ params: { key: "city" }, body: { type: "text" } }) },
  deleteContactAttribute: { ask: () => ({ params: { key: "city" } }) },

  listImports: plain,
  readImport: at("import"),
  lookAtImport: at("import", { body: {} }),
  startImport: at("import", { body: {} }),
  cancelImport: at("import"),
  importUpload: {
    ask: () => ({ query: { name: "more.csv" }, body: "name,phone\nA,96550000055\n" }),
  },
  refusedRows: at("endedImport"),
  knowledgeUpload: {
    ask: () => ({ query: { name: "hours.txt" }, body: "We open at nine." }),
  },

  listSegments: plain,
  listSegmentChoices: plain,
  readSegment: at("segment"),
  createSegment: { ask: () => ({ body: { name: `S ${unique()}`, definition: RULES } }) },
  updateSegment: at("segment", { body: { definition: RULES } }),

  // From here on something ends.
  previewContactMerge: {
    ask: ({ contact, otherContact }) => ({
      params: { id: contact },
      query: { mergedId: otherContact },
    }),
  },
  mergeContact: {
    ask: ({ contact, otherContact }) => ({
      params: { id: contact },
      body: { mergedId: otherContact },
    }),
  },
  readErasure: at("erasure"),
  eraseContact: at("contact", { body: { confirm: "Huda" } }),
  removeNote: at("note"),
  discardSuggestion: at("otherSuggestion"),
  closeGap: at("gap", { body: { notOurs: true } }),
  deleteSource: at("source"),
  deleteCase: { ask: ({ bot, case: caseId }) => ({ params: { id: bot, caseId } }) },
  archiveBot: at("bot"),
  deleteSavedReply: at("savedReply"),
  deleteView: at("view"),
  deleteLabel: { ask: ({ label }) => ({ params: { name: label } }) },
  deleteTemplate: { ...at("template"), own: "NOT_ALLOWED_IN_STATE" },
  deleteSegment: { ...at("segment"), own: "NOT_ALLOWED_IN_STATE" },
  removeConsentWord: { ask: ({ word }) => ({ params: { word } }) },
  setKeySends: at("key", { body: { sends: "ask" } }),
  revokeKey: at("key"),
  deleteWebhookEndpoint: at("endpoint"),
  disconnectChannel: at("channel"),
  endSession: at("session"),
  endOtherSessions: plain,
  changePassword: { ask: () => ({ body: { old: PASSWORD, fresh: `${PASSWORD} 2` } }) },
  signOut: plain,
};

/** A right request for every face, in the order of `BY_HAND` after the others. */
export const ENTRIES: Readonly<Record<string, Entry | "for anybody">> = {
  ...Object.fromEntries(
    Object.entries(declaredEntries()).filter(([name]) => !Object.hasOwn(BY_HAND, name)),
  ),
  ...BY_HAND,
};

/** An answer: a page of a file is text, everything else JSON. */
export interface Answer {
  readonly status: number;
  readonly code: string | undefined;
  readonly text: string;
  /** A browser saves it. */
  readonly isFile: boolean;
  /** It is the kept answer of an earlier request with the same Idempotency-Key. */
  readonly replayed: boolean;
  /** The session's cookie, where the answer renews it. */
  readonly cookie: string | undefined;
}

/** A workspace with one of everything, every text of which has its mark, and a member of each role. */
export class StockedWorkspace {
  readonly #base: string;
  readonly #cookies: Record<MemberRole, string>;
  readonly id: string;
  readonly stock: Readonly<Record<MemberRole, Stock>>;

  private constructor(
    base: string,
    id: string,
    cookies: Record<MemberRole, string>,
    stock: Readonly<Record<MemberRole, Stock>>,
  ) {
    this.#base = base;
    this.id = id;
    this.#cookies = cookies;
    this.stock = stock;
  }

  /** Asks a face as a member; null: without a session. */
  async ask(role: MemberRole | null, face: AppFace, asking: Asking): Promise<Answer> {
    const answer = await ask(this.#base, role && this.#cookies[role], face, asking);
    if (role && answer.cookie !== undefined) this.#cookies[role] = answer.cookie;
    return answer;
  }

  /** Makes the workspace, its members and its stock. `mark` stands in every text. */
  static async open(stand: SandboxStand, mark: string): Promise<StockedWorkspace> {
    const { base, t } = stand;
    const shop = await stand.open("WHATSAPP");
    const { workspaceId } = shop;
    const newMember = async (role: MemberRole, name: string) => {
      const email = `${mark.toLowerCase()}-${name}@example.com`;
      const input = { email, name: `${mark} ${name}`, role, password: PASSWORD };
      const { id } = await createMember(OPERATOR, t.app, workspaceId, input);
      return { id, email };
    };
    const colleague = (await newMember("agent", "colleague")).id;
    const cookies: Record<MemberRole, string> = { owner: "", admin: "", agent: "" };
    for (const role of MEMBER_ROLES) {
      const { email } = await newMember(role, role);
      await signIn(base, email);
      cookies[role] = await signIn(base, email);
    }
    const made = makerFor(base, cookies);
    const shared = await stockShared(stand, shop, mark, colleague, made);
    const stock: Partial<Record<MemberRole, Stock>> = {};
    for (const role of MEMBER_ROLES) {
      const { conversation } = shared;
      const own = await stockOf(role, { base, cookie: cookies[role], mark, conversation, made });
      // Of one author only one is open in a conversation.
      const suggested = async (): Promise<string> => {
        const key = {
          kind: "key",
          keyId: t.app.ids.next(),
          publicKey: "pk_1",
          scopes: [],
        } as const;
        const given = { id: conversation, text: `${mark} suggested` };
        return (await suggestReply(key, t.app, workspaceId, given)).id;
      };
      const suggestion = await suggested();
      stock[role] = { ...shared, ...own, suggestion, otherSuggestion: await suggested() };
    }
    const { owner, admin, agent } = stock;
    assert.ok(owner && admin && agent);
    for (const kind of KINDS) assert.ok(agent[kind], `nothing for ${kind}`);
    return new StockedWorkspace(base, workspaceId, cookies, { owner, admin, agent });
  }
}

/** Signs in and gives the cookie. */
async function signIn(base: string, email: string): Promise<string> {
  const answer = await fetch(`${base}/api/app/sign-in`, {
    method: "POST",
    headers: { ...OURS, "content-type": "application/json" },
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  assert.equal(answer.status, 200);
  return answer.headers.getSetCookie()[0]?.split(";")[0] ?? "";
}

/** Makes a request that must succeed, and gives the text to which a path of names leads in the answer. */
type Made = (
  name: keyof typeof FACES,
  asking?: Asking,
  path?: readonly (string | number)[],
  role?: MemberRole,
) => Promise<string>;

function makerFor(base: string, cookies: Readonly<Record<MemberRole, string>>): Made {
  return async (name, asking = {}, path = ["id"], role = "owner") => {
    const answer = await ask(base, cookies[role], FACES[name], asking);
    assert.ok(answer.status < 300, `${name}: ${answer.status} ${answer.text}`);
    let found: unknown = JSON.parse(answer.text);
    for (const step of path)
      found =
        typeof found === "object" && found !== null
          ? new Map(Object.entries(found)).get(String(step))
          : undefined;
    assert.ok(typeof found === "string", `${name}: no ${path.join(".")} in ${answer.text}`);
    return found;
  };
}

/** Makes a bot, its case and a run of it, a turn of it, what it answers from, and a question that it could not answer. */
async function stockBots(
  { t: { app } }: SandboxStand,
  { workspaceId }: SandboxShop,
  mark: string,
  thread: { readonly contact: string; readonly conversation: string },
  made: Made,
) {
  const { db, clock, ids } = app;
  const { contact, conversation } = thread;
  const document = { ...aiDocumentExample, name: `${mark} bot` };
  const bot = await made("createBot", { body: { document } });
  await made("publishBot", { params: { id: bot }, body: {} });
  const botCase = await made("addCase", { params: { id: bot }, body: CASE });
  const caseRun = ids.next();
  await db.query(sql`
    insert into case_run (workspace_id, id, bot_id, document, repeat, why, started_by, created_at, moved_at)
    values (${workspaceId}, ${caseRun}, ${bot}, ${JSON.stringify(document)}::jsonb, 3, 'asked', ${mark}, now(), now())`);
  const turn = ids.next();
  await db.query(sql`
    insert into ai_turn (workspace_id, id, bot_id, version, conversation_id, status, month, decision, text, lease_until,
      created_at, settled_at)
    values (${workspaceId}, ${turn}, ${bot}, 1, ${conversation}, 'superseded', '2026-01-01', 'answer', ${`${mark} turn`},
      now(), now(), now())`);
  const question = { question: `${mark} question`, why: "no_source" } as const;
  await db.transaction((tx) =>
    recordGap({ clock, ids }, tx, workspaceId, {
      ...question,
      contactId: contact,
      conversationId: conversation,
      botId: bot,
    }),
  );
  const gap = await made("listGaps", {}, ["items", 0, "id"]);
  const source = await made("addSnippet", { body: { ...SNIPPET, title: `${mark} source` } });
  return { bot, case: botCase, caseRun, turn, source, gap };
}

/** Makes what the whole workspace has. */
async function stockShared(
  stand: SandboxStand,
  shop: SandboxShop,
  mark: string,
  colleague: string,
  made: Made,
) {
  const slug = mark.toLowerCase();
  const said = await shop.say({ from: "96550000001", name: "Huda", text: `${mark} hello` });
  const conversation = said.conversationId ?? "";
  const inConversation = { params: { id: conversation } };
  const contact = await made("openConversation", inConversation, ["contact", "id"]);
  const person = (name: string, phone: string) =>
    made("createContact", { body: { name: `${mark} ${name}`, phone } });
  const otherContact = await person("other", "96550000002");
  const erased = await person("erased", "96550000003");
  const template = await made(
    "listTemplates",
    { query: { q: "season_offer", status: "APPROVED" } },
    ["templates", 0, "template", "id"],
  );
  const channel = shop.added.id;
  await made("putLabel", { params: { name: `${slug}-label` }, body: { color: "#aabbcc" } }, [
    "name",
  ]);
  const bots = await stockBots(stand, shop, mark, { contact, conversation }, made);
  const segment = await made("createSegment", {
    body: { name: `${mark} segment`, definition: RULES },
  });
  const draft = { name: `${mark} campaign`, kind: "WHATSAPP_TEMPLATE", channelId: channel };
  const campaignOf = () =>
    made("createBroadcast", {
      body: { ...draft, templateId: template, variables: { "1": mark } },
    });
  const campaign = await campaignOf();
  const endedCampaign = await campaignOf();
  await made("startCampaign", { params: { id: endedCampaign } });
  for (let tick = 0; tick < 5; tick++) {
    await stand.settle();
    stand.t.clock.advance(5_000);
  }
  const uploaded = (text: string) =>
    made("importUpload", { query: { name: `${mark}.csv` }, body: text });
  const endedImport = await uploaded(`name,phone,email\n${mark},none,none\n${mark},96550000008,\n`);
  await made("startImport", { params: { id: endedImport }, body: {} });
  await stand.t.app.drain();
  const endpoint = await made(
    "createEndpoint",
    { body: { url: `http://127.0.0.1:9/${slug}`, events: [] } },
    ["endpoint", "id"],
  );
  const common = {
    conversation,
    contact,
    otherContact,
    colleague,
    label: `${slug}-label`,
    channel,
    web: await made("addSandboxChannel", { body: { type: "WEB" } }),
    template,
    segment,
    ...bots,
    campaign,
    endedCampaign,
    message: await made(
      "sendReply",
      { ...inConversation, body: { clientId: unique(), text: `${mark} reply` } },
      ["message", "id"],
    ),
    key: await made("createKey", { body: { name: `${mark} key`, scopes: [] } }, ["key", "id"]),
    endpoint,
    delivery: await made("testWebhookEndpoint", { params: { id: endpoint } }, ["eventId"]),
    import: await uploaded(`name,phone\n${mark},96550000009\n`),
    endedImport,
    job: await made("startContactJob", {
      body: { ids: [otherContact], change: { action: "tag", tags: [`${slug}-tag`] } },
    }),
    erasure: await made("eraseContact", {
      params: { id: erased },
      body: { confirm: `${mark} erased` },
    }),
    word: await made("addConsentWord", { body: { text: `${slug}stop`, wish: "stop" } }, ["word"]),
  };
  await made("inviteMember", { body: { email: `${slug}-new@example.com`, role: "agent" } }, [
    "path",
  ]);
  return { ...common, invitation: await made("listTeam", {}, ["invitations", 0, "id"]) };
}

/** Makes what a member has alone. */
async function stockOf(
  role: MemberRole,
  {
    base,
    cookie,
    mark,
    conversation,
    made,
  }: {
    readonly base: string;
    readonly cookie: string;
    readonly mark: string;
    readonly conversation: string;
    readonly made: Made;
  },
) {
  const slug = mark.toLowerCase();
  const inConversation = { params: { id: conversation } };
  const file = () => made("replyFile", { query: { name: `${mark}.txt` }, body: `${mark} bytes` });
  const me = await made("readSignedIn", {}, ["member", "id"], role);
  const by: MemberRole = role === "owner" ? "admin" : "owner";
  const mention = { text: `${mark} for ${role}`, mentions: [me] };
  await made("writeNote", { ...inConversation, body: mention }, ["id"], by);
  const named = { name: `${mark} view`, filter: { all: [] }, shared: false };
  const reply = { shortcut: `${slug}-${role}`, title: mark, text: mark, shared: false };
  const sessions = JSON.parse((await ask(base, cookie, FACES.listSessions, {})).text) as {
    id: string;
    current: boolean;
  }[];
  return {
    file: await file(),
    savedFile: await file(),
    otherSavedFile: await file(),
    note: await made(
      "writeNote",
      { ...inConversation, body: { text: `${mark} note` } },
      ["id"],
      role,
    ),
    savedReply: await made(
      "createSavedReply",
      { body: { ...reply, media: [await file()] } },
      ["id"],
      role,
    ),
    view: await made("createView", { body: named }, ["id"], role),
    notice: await made("listNotices", {}, ["items", 0, "id"], role),
    session: sessions.find(({ current }) => !current)?.id ?? "",
  };
}

async function ask(
  base: string,
  cookie: string | null,
  { method, path }: AppFace,
  { params = {}, query = {}, body, headers = {}, indent }: Asking,
): Promise<Answer> {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? "x"),
  );
  const search = new URLSearchParams(query).toString();
  const answer = await fetch(`${base}/api/app${filled}${search && `?${search}`}`, {
    method,
    headers: {
      ...OURS,
      ...headers,
      ...(cookie && { cookie }),
      ...(body !== undefined && {
        "content-type": typeof body === "string" ? "text/plain" : "application/json",
      }),
    },
    ...(body !== undefined && {
      body: typeof body === "string" ? body : JSON.stringify(body, null, indent),
    }),
  });
  const text = await answer.text();
  const isFile = answer.headers.get("content-disposition")?.startsWith("attachment") ?? false;
  const code = answer.ok ? undefined : /"message":"([A-Z_]+)"/.exec(text)?.[1];
  const replayed = answer.headers.has("idempotency-replayed");
  const [renewed] = answer.headers.getSetCookie().flatMap((one) => /^parley=[^;]+/.exec(one) ?? []);
  return { status: answer.status, code, text, isFile, replayed, cookie: renewed };
}

/** Which kinds of ids a request names. */
export function kindsIn(entry: Entry, stock: Stock, role: MemberRole): Kind[] {
  const named = new Set<Kind>();
  const watched = new Proxy(stock, {
    get(target, key) {
      const kind = KINDS.find((one) => one === key);
      assert.ok(kind, `no kind of id is called ${String(key)}`);
      named.add(kind);
      return target[kind];
    },
  });
  entry.ask(watched, role);
  return [...named];
}
