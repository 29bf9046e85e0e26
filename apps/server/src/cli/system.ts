import { statfs, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Command } from "commander";
import { folderFault, INSTALLATION, loadConfig, readEnvironment } from "../config.ts";
import { VERSION } from "../version.ts";
import type { OpenContext } from "../open-context.ts";
import { listProcesses } from "../db/process-life.ts";
import { selectBackupMade } from "../db/backup-made.ts";
import { readHolder } from "../db/data-lock.ts";
import { aheadOf } from "../db/database-clock.ts";
import { migrate, SchemaDrift } from "../db/migrate.ts";
import { textIndexWarning } from "../db/text-index.ts";
import { poolerFault } from "../db/pooler.ts";
import { unusableDatabase } from "../db/unusable-database.ts";
import { describeChannelFaults } from "../channels/describe-channel-faults.ts";
import { describeUnknown, unknownSettings } from "../lib/setting-names.ts";
import { storageFault } from "../media/storage-fault.ts";
import { mailFault } from "../workspaces/mail-notices.ts";
import { describeRotation } from "../db/check-master-key.ts";
import { print } from "./command-line.ts";
import { backupWarning, clockWarning, workerFault } from "./doctor-judgement.ts";
import { selectServer, selectStanding } from "./doctor-store.ts";
import { askProcesses, lookAtPort, publicUrlWarning } from "./look-at-port.ts";
import { reachDatabase, withApp, type Reached } from "./open-app.ts";

interface Json {
  readonly json?: boolean;
}

/** `parley doctor` */
export function registerDoctor(command: Command): void {
  command.option("--json", "print one JSON document").action(async (options: Json) => {
    const look = async (app: OpenContext, reached: Reached) => {
      // The machine's own time, read here. The app's clock follows PostgreSQL when the two differ.
      const clockDifferenceMs = Math.round(await aheadOf(app.db, new Date()));
      const { config } = app;
      const disk = await statfs(config.dataDir);
      const database = await selectServer(app.db, disk.bavail * disk.bsize);
      const { faults } = await app.readiness();
      const holder = reached.alone ? null : readHolder(config.dataDir);
      const runs = holder?.kind === "server" ? "running" : "not running";
      const external = reached.config.databaseUrl !== undefined;
      const asked = await askProcesses(await listProcesses(app.db));
      // Servers that run here were started with an address of their own, which these settings need not name.
      const here = asked.processes.some(({ answers }) => answers === true);
      const listening = await lookAtPort(config, here ? "running" : external ? "unknown" : runs);
      const pooler = external ? poolerFault(reached.databaseUrl) : Promise.resolve(null);
      const others = [
        pooler.then((fault) => fault && `DATABASE_URL: ${fault}`),
        storageFault(app),
        app.rateLimits.fault(),
        mailFault(config.smtpUrl),
      ];
      const lastBackup = await selectBackupMade(app.db, 2_000);
      const publicUrl =
        asked.processes.length > 0 ? await publicUrlWarning(config.publicUrl) : null;
      const folder = folderFault(config.dataDir);
      faults.push(...asked.faults);
      for (const fault of [
        workerFault(asked.processes),
        listening.fault,
        folder,
        ...(folder === null ? await Promise.all(others) : []),
      ])
        if (fault !== null) faults.push(fault);
      const judged = [
        publicUrl,
        clockWarning(clockDifferenceMs),
        backupWarning(lastBackup, app.clock.now()),
        await textIndexWarning(app.db),
      ];
      return {
        ready: faults.length === 0,
        faults,
        warnings: [
          ...unknownSettings(readEnvironment().keys()).map(describeUnknown),
          ...judged.filter((one) => one !== null),
          ...(await describeChannelFaults(app)),
          ...[await describeRotation(app.db)].filter((one) => one !== null),
        ],
        version: VERSION,
        node: process.versions.node,
        database: external ? "external" : "embedded",
        postgres: database?.version,
        databaseSize: database?.size,
        clockDifferenceMs,
        dataFolder: config.dataDir,
        diskFree: database?.free,
        files: config.s3 === undefined ? "data folder" : "S3",
        rateLimits: config.redisUrl !== undefined ? "Redis" : "no Redis",
        mail: config.smtpUrl !== undefined ? "SMTP" : "the log",
        server: reached.alone ? "not running" : (holder?.pid ?? (here ? "running" : "unknown")),
        address: `${config.host}:${config.port}`,
        port: listening.port,
        processes: asked.processes,
        publicUrl: config.publicUrl,
        lastBackup: lastBackup?.toISOString() ?? "none by parley backup",
        standing: (await selectStanding(app.db, app.clock.now())) ?? "not told within 2 s",
      };
    };
    const report = await withApp(look, { checksSchema: true }).catch((error: unknown) => {
      if (error instanceof SchemaDrift)
        print(options, { ready: false, faults: error.differences, version: VERSION });
      throw error;
    });
    print(options, report);
    if (!report.ready) throw new Error(report.faults.join("; "));
  });
}

/** `parley migrate` */
export function registerMigrate(command: Command): void {
  command.option("--json", "print one JSON document").action(async (options: Json) => {
    const { config } = loadConfig();
    const reached = await reachDatabase(config);
    try {
      const applied = await migrate(reached.databaseUrl).catch((error: unknown) => {
        throw unusableDatabase(config.databaseUrl, error);
      });
      print(options, { applied });
    } finally {
      await reached.close();
    }
  });
}

/** `parley openapi` */
export function registerOpenapi(command: Command): void {
  command
    .option("--write", "write it to apps/server/openapi.json")
    .option("--json", "print one JSON document")
    .action(async (options: Json & { write?: boolean }) => {
      // Loaded here, because it loads every schema, and no other command needs one.
      const { openapiDocument, openapiText } = await import("../http/openapi/openapi.ts");
      const file = path.join(INSTALLATION, "apps/server/openapi.json");
      if (options.write) {
        await writeFile(file, openapiText());
        print(options, { written: file });
      } else
        process.stdout.write(
          options.json ? `${JSON.stringify(openapiDocument())}\n` : openapiText(),
        );
    });
}
