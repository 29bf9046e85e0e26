import { Type } from "typebox";
import { listSegments } from "../../segments/list-segments.ts";
import type { Call } from "./route.ts";
import { AT, freeForm, ID, nullableInteger, nullableTime, time } from "./shapes.ts";

export const Segment = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    definition: Type.Object(
      {
        match: Type.Unsafe<string>({ type: "string", enum: ["all", "any"] }),
        rules: Type.Array(freeForm),
      },
      { description: "No rules: everyone who has not opted out." },
    ),
    cachedCount: Type.Optional(nullableInteger),
    cachedAt: Type.Optional(nullableTime),
    createdAt: Type.Optional(time),
  },
  { $id: "Segment", description: "cachedCount is for display; a campaign counts afresh." },
);

export const segmentExample = {
  id: ID,
  name: "VIP",
  definition: { match: "all", rules: [{ field: "tag", op: "eq", value: "vip" }] },
  cachedCount: 128,
  cachedAt: AT,
  createdAt: AT,
};

/** GET /v1/segments */
export async function getSegments({ context, principal }: Call): Promise<string> {
  return JSON.stringify(await listSegments(context, principal.workspaceId));
}
