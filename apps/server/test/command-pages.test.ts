import assert from "node:assert/strict";
import { test } from "node:test";
import type { Command } from "commander";
import { commandOf } from "../src/cli/declared.ts";
import { operationsAt } from "../src/operations/all.ts";
import { buildProgram } from "../src/cli/program.ts";
import { api } from "../src/http/dashboard/contract/api.ts";
import { recipientsFile } from "../src/http/dashboard/contract/campaigns.ts";
import { contactExport, personExport } from "../src/http/dashboard/contract/contacts.ts";
import { importUpload, refusedRows } from "../src/http/dashboard/contract/imports.ts";
import { memberFile, replyFile } from "../src/http/dashboard/contract/thread.ts";

/** Every face, those too whose answer or body is no JSON. */
const FACES = {
  ...api,
  recipientsFile,
  contactExport,
  personExport,
  importUpload,
  refusedRows,
  memberFile,
  replyFile,
};
type FaceName = keyof typeof FACES;

/** The faces with which a page does what the command does; or why it is the terminal's alone. */
type Way = readonly FaceName[] | { readonly terminal: string };

const OPERATOR = { terminal: "of the installation: no member decides on it" } as const;

/** Each command of `parley` and its way in the dashboard. */
const WAYS: Readonly<Record<string, Way>> = {
  // Further workspaces than the first are the operator's to make.
  "workspace create": ["setUp"],
  "workspace list": OPERATOR,
  "workspace update": OPERATOR,
  "workspace delete": ["deleteWorkspace"],
  "user create": ["inviteMember", "useInvitation"],
  "user list": ["listTeam"],
  "user update": ["changeMember"],
  "user reset-password": ["makeResetLink", "useResetLink"],
  "user reset-two-factor": ["resetTwoFactor"],
  // A disabled member frees the seat too.
  "user remove": ["changeMember"],
  "key create": ["createKey"],
  "key list": ["listKeys"],
  "key update": ["setKeySends"],
  "key revoke": ["revokeKey"],
  "key rotate-master": OPERATOR,
  "channel connect whatsapp": ["connectChannel"],
  "channel connect messenger": ["connectChannel"],
  "channel connect instagram": ["connectChannel"],
  "channel connect telegram": ["connectChannel"],
  "channel connect tiktok": ["connectChannel"],
  "channel connect web": ["connectChannel"],
  "channel update web": ["changeWebChannel"],
  "channel list": ["listChannels"],
  "channel show": ["readChannel"],
  "channel pace": ["setChannelPace"],
  "channel disconnect": ["disconnectChannel"],
  "channel sync-templates": ["syncTemplates"],
  "sms-provider set": ["setSms"],
  "sms-provider show": ["readSms"],
  "sms-provider discard": ["discardSms"],
  "sms-provider test": ["testSms"],
  "webhook create": ["createEndpoint"],
  "webhook list": ["listEndpoints"],
  "webhook update": ["updateEndpoint"],
  "webhook enable": ["switchEndpoint"],
  "webhook disable": ["switchEndpoint"],
  "webhook rotate-secret": ["rotateWebhookSecret"],
  "webhook test": ["testWebhookEndpoint"],
  "webhook deliveries": ["listWebhookDeliveries"],
  "webhook delivery": ["readWebhookDelivery"],
  "webhook redeliver": ["redeliverEvents"],
  "segment create": ["createSegment"],
  "segment list": ["listSegments"],
  "segment update": ["updateSegment"],
  "segment delete": ["deleteSegment"],
  "segment preview": ["countDefinition", "sampleDefinition"],
  "broadcast create": ["createBroadcast"],
  "broadcast update": ["replaceCampaign"],
  "broadcast list": ["listCampaigns"],
  "broadcast show": ["readCampaign"],
  "broadcast start": ["startCampaign"],
  "broadcast pause": ["pauseBroadcast"],
  "broadcast cancel": ["cancelBroadcast"],
  "broadcast schedule": ["scheduleCampaign"],
  "broadcast unschedule": ["unscheduleBroadcast"],
  "broadcast recipients": ["listRecipients"],
  "broadcast export": ["recipientsFile"],
  "broadcast timeline": ["readBroadcastTimeline"],
  "broadcast breakdown": ["breakBroadcastDown"],
  "broadcast compare": ["compareBroadcastVariants"],
  "broadcast pace": ["paceBroadcast"],
  "broadcast duplicate": ["duplicateBroadcast"],
  "broadcast resend-failed": ["resendFailed"],
  "broadcast resend-unknown": ["resendUnknown"],
  "broadcast test": ["testBroadcast"],
  "broadcast preview": ["previewDraft"],
  "broadcast estimate": ["estimateBroadcast"],
  "broadcast report": ["campaignReport"],
  "template list": ["listTemplates"],
  "template create": ["createTemplate"],
  "conversation list": ["listConversations"],
  "conversation show": ["openConversation"],
  "message send": ["sendReply", "replyFile"],
  // The thread shows the states of a message, the page of webhooks its deliveries.
  "message show": ["openConversation", "listWebhookDeliveries"],
  "contact show": ["readPerson"],
  "contact create": ["createContact"],
  "contact update": ["editContact", "changeConsent"],
  "contacts import": ["importUpload", "lookAtImport", "startImport"],
  "contacts imports": ["listImports"],
  "contacts rejects": ["refusedRows"],
  "contacts export": ["contactExport"],
  "contacts opt-out": ["changeConsent"],
  "contacts opt-in": ["changeConsent"],
  "contacts consent": ["readConsent"],
  "contacts attribute define": ["putContactAttribute"],
  "contacts attribute list": ["listAttributes"],
  "contacts attribute remove": ["deleteContactAttribute"],
  "contacts tag": ["startContactJob"],
  "contacts untag": ["startContactJob"],
  "contacts set-attribute": ["startContactJob"],
  "contacts delete": ["startContactJob"],
  "contacts opt-out-all": ["startContactJob"],
  "contacts opt-in-all": ["startContactJob"],
  "contacts jobs": ["listContactJobs"],
  "contacts job pause": ["moveContactJob"],
  "contacts job resume": ["moveContactJob"],
  "contacts job cancel": ["moveContactJob"],
  "contacts duplicates": ["listContactDuplicates"],
  "contacts merge": ["previewContactMerge", "mergeContact"],
  "contacts timeline": ["listContactTimeline"],
  "contacts export-person": ["personExport"],
  "contacts erase": ["eraseContact"],
  // The audit log names each, by the id with which its state is read.
  "contacts erasures": ["listAudit", "readErasure"],
  "sandbox add": ["addSandboxChannel"],
  "sandbox list": ["listPhones"],
  "sandbox say": ["sayOnPhone", "sendOnPhone"],
  "sandbox watch": ["readPhone"],
  "sandbox fault": ["setPhoneFault", "clearPhoneFaults"],
  "sandbox model": {
    terminal:
      "its address and key are for a command that sets the model by hand; the page AI says that the emulation answers",
  },
  "bot ask": ["askBot"],
  "bot test": ["listCases", "addCase", "saveCase", "runCases", "readCaseRun"],
  "bot turns": ["listTurns"],
  "bot import": ["createBot", "saveBotDraft"],
  "bot list": ["listBots"],
  "bot show": ["readBot"],
  "bot export": ["readBot"],
  "bot check": ["readBot"],
  "bot publish": ["publishBot"],
  "bot pause": ["pauseBot"],
  "bot resume": ["resumeBot"],
  "bot archive": ["archiveBot"],
  "bot secret": ["makeBotSecret"],
  "bot hand-over": ["takeOver"],
  "bot give-back": ["giveBack"],
  "knowledge import": ["addSnippet", "saveSource"],
  "model show": ["readModel"],
  "model set": ["setModel"],
  "model test": ["testModel"],
  "sandbox magic": {
    terminal: "switching them off is for programs that test with such numbers; the page lists them",
  },
  "sandbox repair": ["repairSandboxChannel"],
  "audit list": ["listAudit"],
  "notice list": ["listAdminNotices"],
  mcp: { terminal: "an assistant starts it and speaks to it" },
  "demo reset": { terminal: "throws the demo workspace away, with the session of whoever asks" },
  backup: { terminal: "of the whole installation, into a file of its machine" },
  "backup verify": { terminal: "reads a file of the machine" },
  restore: { terminal: "into an empty installation, which has no page yet" },
  halt: { terminal: "before the server starts" },
  doctor: { terminal: "looks at the machine, also while no page can be served" },
  migrate: { terminal: "before the server starts" },
  "set-up-link": { terminal: "it prints the secret that the page asks for" },
  openapi: { terminal: "prints a file; the server gives the same at /api/openapi.json" },
  help: { terminal: "of the commands themselves" },
};

test("each command has its way in the dashboard, by faces that exist, or says why it is the terminal's alone", async () => {
  // The doors of a declared command stand in its declaration.
  const declared = operationsAt("cli").map(([, { name }]) => commandOf(name));
  const commands = leaves(await buildProgram(), []).filter((one) => !declared.includes(one));
  assert.deepEqual(commands.toSorted(), Object.keys(WAYS).toSorted());
  for (const [command, way] of Object.entries(WAYS)) {
    if ("terminal" in way) {
      assert.notEqual(way.terminal, "", command);
      continue;
    }
    assert.ok(way.length > 0, command);
    // A name of no face does not compile; a face that was taken out of the table of faces is found here.
    for (const face of way) assert.ok(FACES[face].path.startsWith("/"), `${command}: ${face}`);
  }
});

/** The commands that do something, by their words. */
function leaves(command: Command, words: readonly string[]): string[] {
  // `backup FILE` does something, and so does `backup verify FILE`.
  const own = command.commands.length === 0 || command.registeredArguments.length > 0;
  const below = command.commands.flatMap((one) => leaves(one, [...words, one.name()]));
  return own ? [words.join(" "), ...below] : below;
}
