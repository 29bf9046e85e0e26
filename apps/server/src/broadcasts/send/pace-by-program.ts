import type { Context } from "../../context.ts";
import { channelOperations } from "../../operations/channels.ts";
import { perform } from "../../write.ts";
import { setChannelPace } from "./set-channel-pace.ts";

/** Bounds the pace of a number for a program, as `setChannelPace`. Throws NOT_FOUND. */
export const setPaceByProgram = perform(
  channelOperations.setChannelPace,
  async (
    actor,
    context: Pick<Context, "db" | "ids" | "clock" | "wake">,
    workspaceId,
    { id, most },
  ) => {
    const pace = await setChannelPace(actor, context, workspaceId, id, most);
    return { most: pace.most, ceiling: pace.ceiling };
  },
);
