import { assistOperations } from "./assist.ts";
import { attributeOperations } from "./attributes.ts";
import { botReports } from "./bot-report.ts";
import { botOperations } from "./bots.ts";
import { broadcastReports } from "./broadcast-reports.ts";
import { broadcasts } from "./broadcasts.ts";
import { caseOperations } from "./cases.ts";
import { conversations } from "./conversations.ts";
import { media } from "./media.ts";
import { models } from "./models.ts";
import { turnOperations } from "./turns.ts";
import { notes } from "./notes.ts";
import { contactJobs } from "./contact-jobs.ts";
import { contactOperations } from "./contacts.ts";
import { personOperations } from "./persons.ts";
import { segmentOperations } from "./segments.ts";
import { contactExports } from "./exports.ts";
import { hoursOperations } from "./hours.ts";
import { importOperations } from "./imports.ts";
import { knowledgeOperations } from "./knowledge.ts";
import { labels } from "./labels.ts";
import { workspaceRecords } from "./records.ts";
import { retentionOperations } from "./retention.ts";
import { savedReplies } from "./saved-replies.ts";
import { suggestions } from "./suggestions.ts";
import { teamReads } from "./team.ts";
import { channelOperations } from "./channels.ts";
import { templateOperations } from "./templates.ts";
import { testing } from "./testing.ts";
import { verifications } from "./verifications.ts";
import { webhookEndpoints } from "./webhooks.ts";
import { templateMessages } from "./template-messages.ts";
import type { DoorName, Declaration } from "./operation.ts";

/** Every declared operation by its name in code, which is also its `operationId` and the name of its dashboard call. */
export const OPERATIONS = {
  ...labels,
  ...testing,
  ...templateMessages,
  ...conversations,
  ...notes,
  ...media,
  ...models,
  ...turnOperations,
  ...assistOperations,
  ...suggestions,
  ...savedReplies,
  ...teamReads,
  ...contactOperations,
  ...contactJobs,
  ...personOperations,
  ...attributeOperations,
  ...segmentOperations,
  ...broadcasts,
  ...broadcastReports,
  ...webhookEndpoints,
  ...importOperations,
  ...contactExports,
  ...workspaceRecords,
  ...channelOperations,
  ...templateOperations,
  ...hoursOperations,
  ...retentionOperations,
  ...knowledgeOperations,
  ...botOperations,
  ...botReports,
  ...verifications,
  ...caseOperations,
} as const satisfies Readonly<Record<string, Declaration>>;

export type OperationName = keyof typeof OPERATIONS;

/** The operations that name a door. */
export function operationsAt(door: DoorName): readonly (readonly [OperationName, Declaration])[] {
  return everyOperation().filter(([, { doors }]) => doors.includes(door));
}

export const everyOperation = (): readonly (readonly [OperationName, Declaration])[] =>
  listed(OPERATIONS);

function listed<N extends string>(
  operations: Readonly<Record<N, Declaration>>,
): (readonly [N, Declaration])[] {
  const found: (readonly [N, Declaration])[] = [];
  for (const name in operations) found.push([name, operations[name]]);
  return found;
}
