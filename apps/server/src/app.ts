import type { Config, Secrets } from "./config.ts";
import { openContext, type OpenContext, type Overrides } from "./open-context.ts";
import { createPollTelegramWorker } from "./workers/poll-telegram.ts";
import { createSyncChannelsWorker } from "./workers/sync-channels.ts";
import { createDeliverWebhooksWorker } from "./workers/deliver-webhooks.ts";
import { createPruneAnswersWorker } from "./workers/prune-answers.ts";
import { createPruneContactChangesWorker } from "./workers/prune-contact-changes.ts";
import { createPruneImportsWorker } from "./workers/prune-imports.ts";
import { createPruneKeptKeysWorker } from "./workers/prune-kept-keys.ts";
import { createPruneRecordsWorker } from "./workers/prune-records.ts";
import { createPruneRateWindowsWorker } from "./workers/prune-rate-windows.ts";
import { createPruneWebhooksWorker } from "./workers/prune-webhooks.ts";
import { createBackfillDeskWorker } from "./workers/backfill-desk.ts";
import { createEmitRecipientEventsWorker } from "./workers/emit-recipient-events.ts";
import { createFollowDeskWorker } from "./workers/follow-desk.ts";
import {
  createIndexMessagesWorker,
  createIndexOldMessagesWorker,
} from "./workers/index-messages.ts";
import { createRerunCasesWorker, createRunCasesWorker } from "./workers/run-cases.ts";
import { createRunTurnsWorker, createSweepTurnsWorker } from "./workers/run-turns.ts";
import {
  createEndSilentWorker,
  createHandOverStuckWorker,
  createStartBotsWorker,
} from "./workers/start-bots.ts";
import { createReadKnowledgeWorker } from "./workers/read-knowledge.ts";
import { createEndSnoozesWorker } from "./workers/end-snoozes.ts";
import { createSealEndpointAddressesWorker } from "./workers/seal-endpoint-addresses.ts";
import { createRecordHookCallsWorker } from "./workers/record-hook-calls.ts";
import { createRecordKeyUseWorker } from "./workers/record-key-use.ts";
import { createDispatchWorker } from "./workers/dispatch-messages.ts";
import { createFreeClaimsWorker } from "./workers/free-claims.ts";
import { createForgetFutureWorker } from "./workers/forget-future.ts";
import { createMessageSweeper } from "./workers/sweep-messages.ts";
import { createFetchMediaWorker } from "./workers/fetch-media.ts";
import { createFetchProfilesWorker } from "./workers/fetch-profiles.ts";
import { createSweepMediaWorker } from "./workers/sweep-media.ts";
import { createRemoveWorkspacesWorker } from "./workers/remove-workspaces.ts";
import { createMailNoticesWorker } from "./workers/mail-notices.ts";
import { createRunBulkJobsWorker } from "./workers/run-bulk-jobs.ts";
import { createRunImportFilesWorker } from "./workers/run-import-files.ts";
import { createKeepRetentionWorker } from "./workers/keep-retention.ts";
import { createErasePersonsWorker } from "./workers/erase-persons.ts";
import { createStoreAudiencesWorker } from "./workers/store-audiences.ts";
import { freeCalls } from "./broadcasts/send/sweep-recipients.ts";
import { createRunBroadcastsWorker } from "./workers/run-broadcasts.ts";
import { createKeepSmppLinksWorker } from "./workers/keep-smpp-links.ts";
import { createFetchReceiptsWorker } from "./workers/fetch-receipts.ts";
import { createSweepOtpWorker } from "./workers/sweep-otp.ts";
import { createSweepVisitorsWorker } from "./workers/sweep-visitors.ts";
import { createRefreshSegmentsWorker } from "./workers/refresh-segments.ts";
import { createWorkFlowsWorker } from "./workers/work-flows.ts";
import { createRunExternalBotsWorker } from "./workers/run-external-bots.ts";
import type { Worker } from "./workers/worker.ts";
import { freeImportFiles } from "./imports/run-import-files.ts";
import { freePolls } from "./channels/poll-leases.ts";
import { freeFetches } from "./media/fetch-media.ts";
import { freeReplies } from "./messages/send/sweep-messages.ts";
import { freeBots } from "./bots/turn/free-bots.ts";
import { freeSandbox } from "./sandbox/sandbox-keeper.ts";
import { freeEndpoints } from "./webhooks/free-endpoints.ts";

export interface App extends OpenContext {
  readonly workers: readonly Worker[];
  /** Runs every worker until none finds due work. Tests call it instead of sleeping. */
  drain(): Promise<void>;
}

/**
 * Puts a server together: the context and every worker. `config.databaseUrl` must be set by now (embedded or given).
 */
export async function buildApp(
  config: Config,
  secrets: Secrets,
  overrides: Overrides = {},
): Promise<App> {
  const { stepping, ...context } = await openContext(config, secrets, overrides);
  const workers: Worker[] = [
    createDispatchWorker(stepping),
    createMessageSweeper(stepping),
    createFreeClaimsWorker(stepping, [
      // First, because campaigns are locked before channels.
      freeCalls,
      freeReplies,
      freeBots,
      freeFetches,
      freePolls,
      freeEndpoints,
      freeSandbox,
      freeImportFiles,
    ]),
    createForgetFutureWorker(context),
    createFetchMediaWorker(stepping),
    createFetchProfilesWorker(stepping),
    createSweepMediaWorker(context),
    createSweepVisitorsWorker(context),
    createStoreAudiencesWorker(context),
    createRunBroadcastsWorker(stepping),
    createSyncChannelsWorker(stepping),
    createPollTelegramWorker(stepping),
    createDeliverWebhooksWorker(stepping),
    createPruneWebhooksWorker(context),
    createSealEndpointAddressesWorker(context),
    createBackfillDeskWorker(context),
    createFollowDeskWorker(stepping),
    createEmitRecipientEventsWorker(stepping),
    createIndexMessagesWorker(context),
    createIndexOldMessagesWorker(context),
    createEndSnoozesWorker(stepping),
    createReadKnowledgeWorker(stepping),
    createStartBotsWorker(stepping),
    createRunTurnsWorker(stepping),
    createRunCasesWorker(stepping),
    createRerunCasesWorker(stepping),
    createSweepTurnsWorker(stepping),
    createHandOverStuckWorker(stepping),
    createEndSilentWorker(stepping),
    createSweepOtpWorker(stepping),
    createFetchReceiptsWorker(stepping),
    createKeepSmppLinksWorker(stepping),
    createRecordKeyUseWorker(stepping),
    createRecordHookCallsWorker(stepping),
    createPruneAnswersWorker(context),
    createPruneRateWindowsWorker(context),
    createRefreshSegmentsWorker(context),
    createPruneContactChangesWorker(context),
    createPruneImportsWorker(context),
    createPruneKeptKeysWorker(context),
    createPruneRecordsWorker(context),
    createRunBulkJobsWorker(context),
    createRunImportFilesWorker(context),
    createErasePersonsWorker(context),
    createKeepRetentionWorker(context),
    createRunExternalBotsWorker(stepping),
    createWorkFlowsWorker(stepping),
    createMailNoticesWorker(stepping),
    createRemoveWorkspacesWorker(context),
  ];
  return {
    ...context,
    workers,
    async drain() {
      // It ends when each worker has found nothing after the last one that found something: half a round less than
      // whole rounds.
      for (let turn = 0, idle = 0; idle < workers.length; turn++) {
        const handled = (await workers[turn % workers.length]?.runOnce()) ?? 0;
        idle = handled > 0 ? 0 : idle + 1;
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(workers.map(async (worker) => worker.stop?.()));
      await context[Symbol.asyncDispose]();
    },
  };
}
