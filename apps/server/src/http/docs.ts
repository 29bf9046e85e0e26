import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { FastifyInstance } from "fastify";
import type { App } from "../app.ts";

const DOCS = path.join(import.meta.dirname, "../../../../docs");

/**
 * `/llms.txt`, the index of the documentation for programs that read it, and under `/docs/` the files that it names, as
 * they are. An installation without its `docs` folder has neither.
 */
export function registerDocs(fastify: FastifyInstance, app: App): void {
  const index = path.join(DOCS, "llms.txt");
  if (!existsSync(index)) return;
  const text = readFileSync(index, "utf8");
  const names = linksOf(text);
  const served = text.replaceAll(/\]\(([^)]+)\)/g, `](${app.config.publicUrl}/docs/$1)`);
  fastify.get("/llms.txt", async (_request, reply) =>
    reply.type("text/plain; charset=utf-8").send(served),
  );
  for (const name of names) {
    // Bytes that every answer shares: a text would be copied for each connection that is slow to take it.
    const bytes = readFileSync(path.join(DOCS, name));
    fastify.get(`/docs/${name}`, async (_request, reply) =>
      reply.type("text/markdown; charset=utf-8").send(bytes),
    );
  }
}

function linksOf(text: string): string[] {
  return [...text.matchAll(/\]\(([\w/-]+\.md)\)/g)].map(([, name = ""]) => name);
}
