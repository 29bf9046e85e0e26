/** The part of npm `smpp` 0.5.1 that is used; it brings no types. */
declare module "smpp" {
  import type { EventEmitter } from "node:events";
  import type { LookupFunction, Server, Socket } from "node:net";

  export interface Pdu {
    readonly command: string;
    readonly command_status: number;
    /** Given by the session that sends it. */
    readonly sequence_number: number;
    isResponse(): boolean;
    readonly [field: string]: unknown;
    response(fields?: object): Pdu;
  }
  type Ask = (fields: object, answered: (answer: Pdu) => void) => boolean;
  export interface Session extends EventEmitter {
    readonly socket: Socket;
    send(pdu: Pdu): boolean;
    close(): void;
    destroy(): void;
    bind_transceiver: Ask;
    deliver_sm: Ask;
    enquire_link: Ask;
    unbind: Ask;
  }
  interface Pdus {
    new (command: "submit_sm", fields: object): Pdu;
    readonly prototype: Pdu & { fromBuffer(buffer: Buffer): void };
    /**
     * Reads a PDU of `length` octets from the stream; four of them were read already. False: the rest has not come yet.
     */
    fromStream: (stream: { read(octets: number): Buffer | null }, length: number) => Pdu | false;
  }
  interface Library {
    readonly PDU: Pdus;
    /** All of it goes to `net.connect` or `tls.connect` as well. */
    connect(options: {
      host: string;
      port: number;
      tls: boolean;
      lookup?: LookupFunction;
    }): Session;
    createServer(session: (session: Session) => void): Server & { readonly sessions: Session[] };
  }
  const library: Library;
  export default library;
}
