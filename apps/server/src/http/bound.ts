import type { Actor } from "../actor.ts";
import {
  createBot,
  listBots,
  listBotVersions,
  readBot,
  restoreBotVersion,
  saveBotDraft,
} from "../bots/record/bots.ts";
import { previewBot } from "../bots/flow/preview-bot.ts";
import { readCaseRun, runCases } from "../bots/cases/run-cases.ts";
import { addCase, deleteCase, listCases, saveCase } from "../bots/cases/write-case.ts";
import { makeBotSecret } from "../bots/external/make-bot-secret.ts";
import { testExternalBot } from "../bots/external/test-external.ts";
import { testLookup } from "../bots/lookup/test-lookup.ts";
import { archiveBot, pauseBot, publishBot, resumeBot } from "../bots/record/publish-bot.ts";
import {
  giveBack,
  giveConversationBack,
  handOverConversation,
  takeOver,
} from "../bots/thread/take-over.ts";
import { readMe } from "../api-keys/read-me.ts";
import {
  attributeByKey,
  attributesByPage,
  putAttributeByProgram,
  removeAttributeByProgram,
} from "../contacts/attributes/attributes-by-program.ts";
import { upsertContact, batchContacts } from "../contacts/upsert/upsert-contacts.ts";
import {
  cancelBroadcastByProgram,
  createBroadcastByProgram,
  deleteBroadcastByProgram,
  duplicateBroadcastByProgram,
  paceBroadcastByProgram,
  pauseBroadcastByProgram,
  resendFailedByProgram,
  resendUnknownByProgram,
  scheduleBroadcastByProgram,
  searchBroadcasts,
  testBroadcastByProgram,
  unscheduleBroadcastByProgram,
  updateBroadcastByProgram,
} from "../broadcasts/record/broadcasts-by-program.ts";
import {
  breakBroadcastDown,
  compareBroadcastVariants,
  estimateBroadcastByProgram,
  estimateDraftByProgram,
  listBroadcastReplies,
  previewBroadcastByProgram,
  previewDraftByProgram,
  readBroadcastReport,
  readBroadcastTimeline,
} from "../broadcasts/report/reports-by-program.ts";
import type { Context } from "../context.ts";
import { deleteLabel, putLabel } from "../conversations/put-label.ts";
import { changeConversation, changeManyConversations } from "../inbox/change-conversation.ts";
import { listAllMessages } from "../messages/record/list-all-messages.ts";
import { listConversationsShown } from "../inbox/list-conversations-shown.ts";
import { changeNote, listNotes, removeNote, writeNote } from "../inbox/notes.ts";
import {
  discardSuggestion,
  listSuggestions,
  readSuggestion,
  suggestReply,
  withdrawSuggestion,
} from "../inbox/suggest-reply.ts";
import { sendSuggestion } from "../inbox/use-suggestion.ts";
import { listSavedReplies } from "../inbox/shared-replies.ts";
import { putSavedReply, removeSavedReply } from "../inbox/write-saved-reply.ts";
import { sendInConversation } from "../inbox/send-in-conversation.ts";
import { sendTemplateBatch, sendTemplateMessage } from "../inbox/send-template-message.ts";
import { listImportsByPage, readImportReport } from "../imports/list-import-runs.ts";
import { lookAtImport } from "../imports/look-at-import.ts";
import { cancelImport, startImport } from "../imports/start-import.ts";
import { listLabels, readLabel } from "../desk/labels.ts";
import { createByProgram, editByProgram } from "../templates/submit-template.ts";
import { askBot } from "../bots/turn/ask-bot.ts";
import { rewrite, suggestQuestions, summarise, translate } from "../bots/assist/assist.ts";
import { botReport } from "../bots/report/bot-report.ts";
import { askSuggestion } from "../bots/turn/ask-suggestion.ts";
import { readRun } from "../bots/turn/read-run.ts";
import { listTurns, rateTurn, readTurn } from "../bots/turn/read-turns.ts";
import { readModel } from "../models/find-model.ts";
import { setModel } from "../models/set-model.ts";
import { listModelNames } from "../models/list-model-names.ts";
import { testModel } from "../models/test-model.ts";
import { readMedia, storeMedia } from "../media/store-from-address.ts";
import { putContactConsent, readContactConsent } from "../contacts/consent/put-consent.ts";
import { mergeByProgram } from "../contacts/identity/merge-by-program.ts";
import { eraseByProgram, readErasure } from "../persons/erase-by-program.ts";
import {
  duplicatesByProgram,
  identitiesByProgram,
  previewMergeByProgram,
  timelineByProgram,
} from "../persons/persons-by-program.ts";
import { findContactByKey } from "../contacts/refs/find-by-key.ts";
import {
  listJobsByProgram,
  moveJobByProgram,
  readJobByProgram,
  startJobByProgram,
} from "../segments/jobs-by-program.ts";
import {
  changeSegment,
  countDefinition,
  removeSegment,
  sampleDefinition,
  saveSegment,
  showSegment,
} from "../segments/segments-by-program.ts";
import { countDefined, searchContacts } from "../segments/search-contacts.ts";
import { addPages } from "../knowledge/add-sources.ts";
import { closeGap, listGaps } from "../knowledge/close-gap.ts";
import { findKnowledge, listKnowledge, readSource } from "../knowledge/list-sources.ts";
import { addSavedReplies, listReplySources } from "../knowledge/saved-reply-sources.ts";
import { readSynonyms, saveSynonyms } from "../knowledge/save-synonyms.ts";
import {
  addSnippet,
  deleteSource,
  putKnowledge,
  refreshSource,
  removeKnowledge,
  saveSource,
} from "../knowledge/write-snippet.ts";
import {
  cancelVerification,
  checkVerification,
  readVerification,
  startVerification,
} from "../otp/verifications.ts";
import { OPERATIONS, type OperationName } from "../operations/all.ts";
import type { Declaration } from "../operations/operation.ts";
import { readLimits, readUsageHistory } from "../usage/usage-history.ts";
import { readAudit } from "../workspaces/list-audit.ts";
import { showHours } from "../hours/read-hours.ts";
import { saveHours } from "../hours/save-hours.ts";
import { changeRetention, previewRetention, readRetention } from "../removal/change-retention.ts";
import { createExport, readExport } from "../segments/contact-exports.ts";
import { listTeamMembers } from "../workspaces/list-team.ts";
import { deleteEndpoint } from "../webhooks/delete-endpoint.ts";
import {
  changeWebhookEndpoint,
  listWebhookDeliveries,
  listWebhookEndpoints,
  putWebhookEndpoint,
  readWebhookDelivery,
  readWebhookEndpoint,
  redeliverEvents,
  rotateWebhookSecret,
  testWebhookEndpoint,
} from "../webhooks/endpoints-by-program.ts";
import {
  changeByProgram,
  connectByProgram,
  disconnectByProgram,
  listChannelsByProgram,
  listChannelTypes,
  readChannelByProgram,
  testByProgram,
} from "../channels/channels-by-program.ts";
import { setPaceByProgram } from "../broadcasts/send/pace-by-program.ts";
import {
  deleteByProgram,
  readTemplateByProgram,
  syncByProgram,
} from "../templates/templates-by-program.ts";
import { playInbound } from "../sandbox/play-inbound.ts";
import { answerOf, around, type Around, type Done } from "../write.ts";
import type { Call } from "./edge/route.ts";
import { leftOut } from "./edge/face.ts";
import { sameVersion } from "../lib/version-tag.ts";

type Bound = { readonly [N in OperationName]: Done<(typeof OPERATIONS)[N], Context> };

/** The function behind each declared operation. A declaration without one does not compile. */
const BOUND: Bound = {
  playInbound,
  listLabels,
  readLabel,
  putLabel,
  deleteLabel,
  sendTemplateMessage,
  sendTemplateBatch,
  listConversations: listConversationsShown,
  listAllMessages,
  createSegment: saveSegment,
  readSegment: showSegment,
  updateSegment: changeSegment,
  deleteSegment: removeSegment,
  countDefinition,
  sampleDefinition,
  changeConversation,
  changeManyConversations,
  sendInConversation,
  listNotes,
  writeNote,
  changeNote,
  removeNote,
  suggestReply,
  readSuggestion,
  withdrawSuggestion,
  listSuggestions,
  sendSuggestion,
  discardSuggestion,
  askBot,
  botReport,
  askSuggestion,
  summarise,
  translate,
  rewrite,
  suggestQuestions,
  listTurns,
  readTurn,
  rateTurn,
  readModel,
  setModel,
  listModelNames,
  testModel,
  storeMedia,
  readMedia,
  listTeamMembers,
  listSavedReplies,
  putSavedReply,
  removeSavedReply,
  readMe,
  upsertContact,
  batchContacts,
  findContactByKey,
  searchContacts,
  countContacts: countDefined,
  readContactConsent,
  putContactConsent,
  mergeContact: mergeByProgram,
  eraseContact: eraseByProgram,
  readErasure,
  startContactJob: startJobByProgram,
  listContactJobs: listJobsByProgram,
  readContactJob: readJobByProgram,
  moveContactJob: moveJobByProgram,
  listContactTimeline: timelineByProgram,
  readContactIdentities: identitiesByProgram,
  previewContactMerge: previewMergeByProgram,
  listContactDuplicates: duplicatesByProgram,
  listContactAttributes: attributesByPage,
  putContactAttribute: putAttributeByProgram,
  readContactAttribute: attributeByKey,
  deleteContactAttribute: removeAttributeByProgram,
  createBroadcast: createBroadcastByProgram,
  updateBroadcast: updateBroadcastByProgram,
  deleteBroadcast: deleteBroadcastByProgram,
  estimateDraft: estimateDraftByProgram,
  previewDraft: previewDraftByProgram,
  estimateBroadcast: estimateBroadcastByProgram,
  previewBroadcast: previewBroadcastByProgram,
  duplicateBroadcast: duplicateBroadcastByProgram,
  resendFailed: resendFailedByProgram,
  pauseBroadcast: pauseBroadcastByProgram,
  cancelBroadcast: cancelBroadcastByProgram,
  scheduleBroadcast: scheduleBroadcastByProgram,
  unscheduleBroadcast: unscheduleBroadcastByProgram,
  paceBroadcast: paceBroadcastByProgram,
  testBroadcast: testBroadcastByProgram,
  resendUnknown: resendUnknownByProgram,
  searchBroadcasts,
  readBroadcastReport,
  readBroadcastTimeline,
  compareBroadcastVariants,
  breakBroadcastDown,
  listBroadcastReplies,
  listWebhookEndpoints,
  putWebhookEndpoint,
  readWebhookEndpoint,
  changeWebhookEndpoint,
  deleteWebhookEndpoint: deleteEndpoint,
  listChannels: listChannelsByProgram,
  readChannel: readChannelByProgram,
  listChannelTypes,
  connectChannel: connectByProgram,
  changeChannel: changeByProgram,
  testChannel: testByProgram,
  disconnectChannel: disconnectByProgram,
  setChannelPace: setPaceByProgram,
  syncTemplates: syncByProgram,
  readTemplate: readTemplateByProgram,
  createTemplate: createByProgram,
  editTemplate: editByProgram,
  deleteTemplate: deleteByProgram,
  testWebhookEndpoint,
  rotateWebhookSecret,
  redeliverEvents,
  listWebhookDeliveries,
  readWebhookDelivery,
  listImports: listImportsByPage,
  readImport: readImportReport,
  lookAtImport,
  startImport,
  cancelImport,
  createExport,
  readExport,
  listUsageMonths: readUsageHistory,
  readLimits,
  listAuditEntries: readAudit,
  listBots,
  createBot,
  readBot,
  saveBotDraft,
  previewBot,
  makeBotSecret,
  testExternalBot,
  testLookup,
  publishBot,
  pauseBot,
  resumeBot,
  archiveBot,
  listBotVersions,
  restoreBotVersion,
  listCases,
  addCase,
  saveCase,
  deleteCase,
  runCases,
  readCaseRun,
  takeOver,
  giveBack,
  readRun,
  handOverConversation,
  giveConversationBack,
  readHours: showHours,
  saveHours,
  readRetention,
  previewRetention,
  changeRetention,
  listKnowledge,
  addSnippet,
  readSource,
  saveSource,
  deleteSource,
  putKnowledge,
  removeKnowledge,
  addPages,
  listReplySources,
  addSavedReplies,
  refreshSource,
  searchKnowledge: findKnowledge,
  readSynonyms,
  saveSynonyms,
  listGaps,
  closeGap,
  startVerification,
  readVerification,
  checkVerification,
  cancelVerification,
};

/** A bound operation as a door calls it: it has checked the input against the declaration. A method, so that all fit. */
interface AnyDoing {
  run(
    actor: Actor,
    context: Context,
    workspaceId: string,
    input: Readonly<Record<string, unknown>>,
    surroundings?: Around,
  ): Promise<unknown>;
}

/** Runs an operation whose input was checked against its declaration, and gives its answer. */
export async function runDeclared(
  name: OperationName,
  actor: Actor,
  context: Context,
  workspaceId: string,
  input: Readonly<Record<string, unknown>>,
  surroundings?: Around,
): Promise<unknown> {
  const bound: AnyDoing = { run: BOUND[name] };
  return answerOf(await bound.run(actor, context, workspaceId, input, surroundings));
}

/** The same for a request: its answer is kept under its `Idempotency-Key`, its `If-Match` compared. Gives JSON. */
export async function answerDeclared(
  name: OperationName,
  workspaceId: string,
  { context, actor, params, query, body, once, ifMatch }: Call<unknown>,
): Promise<string> {
  const { versioned }: Declaration = OPERATIONS[name];
  const surroundings = around(
    async (tx, answer) => once<unknown>(JSON.stringify).within?.(tx, answer),
    (current) => sameVersion(ifMatch, current, leftOut(versioned)),
  );
  const input = { ...asObject(query), ...asObject(body), ...params };
  return JSON.stringify(await runDeclared(name, actor, context, workspaceId, input, surroundings));
}

const asObject = (value: unknown): object => (typeof value === "object" && value ? value : {});
