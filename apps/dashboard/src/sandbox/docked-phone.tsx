import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../api/call.ts";
import { Failure } from "../kit/failure.tsx";
import { SandboxPhone, type Playing } from "./sandbox-phone.tsx";

/** The phone of a conversation's customer, as the dock shows it. */
export function DockedPhone({ conversationId }: { readonly conversationId: string }) {
  const customer = useQuery({
    queryKey: ["phone-customer", conversationId],
    queryFn: ({ signal }) => call("readPhoneCustomer", { params: { id: conversationId }, signal }),
  });
  const [playing, play] = useState<Playing>();
  if (!customer.data) return customer.error ? <Failure of={customer.error} /> : null;
  const { channelId, customer: address, name } = customer.data;
  const theirs = { channelId, customer: address, ...(name !== null && { name }) };
  return <SandboxPhone playing={playing ?? theirs} play={play} />;
}
