import type { FastifyInstance } from "fastify";
import type { Context } from "../../context.ts";
import { uploadKnowledge } from "../../knowledge/add-sources.ts";
import { knowledgeUpload } from "./contract/knowledge.ts";
import { serveMemberUpload } from "./serve-member.ts";

/** Serves uploads of files that bots may answer from; `operations/knowledge.ts` declares the other calls. */
export function registerKnowledgeUploads(fastify: FastifyInstance, context: Context): void {
  serveMemberUpload(fastify, context, knowledgeUpload, ({ caller, query }, body) =>
    uploadKnowledge(caller.actor, context, caller.workspaceId, {
      fileName: String(query["name"]),
      body,
    }),
  );
}
