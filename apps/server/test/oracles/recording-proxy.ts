import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** One exchange as it went over the wire. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  readonly status: number;
  readonly answer: string;
}

export interface RecordingProxy extends AsyncDisposable {
  readonly url: string;
  readonly exchanges: Exchange[];
}

/** Stands between our adapter and an emulator and keeps the bytes of both: neither knows that it is watched. */
export async function recordingProxy(target: string): Promise<RecordingProxy> {
  const exchanges: Exchange[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const bytes = Buffer.concat(chunks);
      const { method = "GET", url = "/" } = request;
      const { host: _host, connection: _connection, ...headers } = request.headers;
      const sent = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
        value === undefined ? [] : [[name, String(value)]],
      );
      fetch(target + url, {
        method,
        headers: sent.filter(([name]) => name !== "content-length" && name !== "transfer-encoding"),
        redirect: "manual",
        ...(bytes.length > 0 && { body: bytes }),
      }).then(
        async (answer) => {
          const text = await answer.text();
          const { status } = answer;
          const path = url.replace(/\?.*$/s, "");
          exchanges.push({
            method,
            path,
            headers,
            body: bytes.toString("utf8"),
            status,
            answer: text,
          });
          const type = answer.headers.get("content-type") ?? "text/plain";
          response.writeHead(status, { "content-type": type });
          response.end(text);
        },
        () => response.destroy(),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    exchanges,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
