var world = {
	now: () => Date.now(),
	random: () => Math.random(),
	sleep: (ms, signal) => new Promise((resolve, reject) => {
		signal?.throwIfAborted();
		const stop = () => {
			clearTimeout(timer);
			reject(signal?.reason);
		};
		const timer = setTimeout(() => {
			signal?.removeEventListener("abort", stop);
			resolve();
		}, ms);
		signal?.addEventListener("abort", stop, { once: true });
	})
};
async function webCrypto() {
	if (globalThis.crypto !== void 0) return globalThis.crypto;
	const { process } = globalThis;
	return (await import(
		/* webpackIgnore: true */
		/* @vite-ignore */
		[process?.release.name, "crypto"].join(":")
)).webcrypto;
}
async function newKey() {
	const bytes = (await webCrypto()).getRandomValues(/* @__PURE__ */ new Uint8Array(18));
	return `sdk-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
async function* everyOf(read, { first = 1, after = 0, onGap } = {}) {
	const from = after === "latest" ? 0 : after;
	let position = {};
	let before = /* @__PURE__ */ new Set();
	for (let number = first;; number++) {
		const page = await read(position);
		const shown = /* @__PURE__ */ new Set();
		if (page.gap) onGap?.({
			after: position.after ?? from,
			oldestSequence: page.oldestSequence ?? null
		});
		for (const item of page.items) {
			const id = idOf(item);
			if (id !== void 0) shown.add(id);
			if (id === void 0 || !before.has(id)) yield item;
		}
		before = shown;
		if (page.nextCursor !== void 0) {
			if (page.nextCursor === null) return;
			position = { cursor: page.nextCursor };
		} else if (page.nextAfter !== void 0) {
			if (!page.hasMore) return;
			position = { after: page.nextAfter };
		} else {
			const size = page.pageSize ?? page.items.length;
			if (page.items.length === 0 || number * size >= (page.total ?? 0)) return;
			position = { page: number + 1 };
		}
	}
}
async function* inBatches(items, most, send, idempotencyKey) {
	const key = idempotencyKey ?? await newKey();
	let number = 0;
	async function* sent(part) {
		const results = await send(part, `${key}:${++number}`);
		for (const [index, item] of part.entries()) yield [item, results[index]];
	}
	let part = [];
	for await (const item of items) {
		part.push(item);
		if (part.length < most) continue;
		yield* sent(part);
		part = [];
	}
	if (part.length > 0) yield* sent(part);
}
function idOf(item) {
	return typeof item === "object" && item !== null && "id" in item && typeof item.id === "string" ? item.id : void 0;
}
function segment(name, id) {
	if (id === "") throw new TypeError(`${name} is empty: it must be an id`);
	if (typeof id !== "string" || /^\.{0,2}$/.test(id)) throw new TypeError(`${name} must be an id`);
	return encodeURIComponent(id);
}
var Contacts = class {
	#caller;
	constructor(caller) {
		this.#caller = caller;
	}
	list(query = {}, options = {}) {
		return this.#caller.call({
			id: "listContacts",
			method: "GET",
			path: `/v1/contacts`,
			query
		}, options);
	}
	iterate(query = {}, options = {}) {
		return everyOf((next) => this.list({
			...query,
			...next
		}, options), { first: query.page });
	}
	create(body, options = {}) {
		return this.#caller.call({
			id: "createContact",
			method: "POST",
			path: `/v1/contacts`,
			body,
			keyed: true
		}, options);
	}
	get(id, options = {}) {
		return this.#caller.call({
			id: "getContact",
			method: "GET",
			path: `/v1/contacts/${segment("id", id)}`
		}, options);
	}
	getWithEtag(id, options = {}) {
		return this.#caller.call({
			id: "getContact",
			method: "GET",
			path: `/v1/contacts/${segment("id", id)}`,
			withEtag: true
		}, options);
	}
	update(id, body, options = {}) {
		return this.#caller.call({
			id: "updateContact",
			method: "PATCH",
			path: `/v1/contacts/${segment("id", id)}`,
			body,
			ifMatch: options.ifMatch
		}, options);
	}
	updateWithEtag(id, body, options = {}) {
		return this.#caller.call({
			id: "updateContact",
			method: "PATCH",
			path: `/v1/contacts/${segment("id", id)}`,
			body,
			ifMatch: options.ifMatch,
			withEtag: true
		}, options);
	}
	erase(id, options = {}) {
		return this.#caller.call({
			id: "eraseContact",
			method: "DELETE",
			path: `/v1/contacts/${segment("id", id)}`
		}, options);
	}
	upsert(body, options = {}) {
		return this.#caller.call({
			id: "upsertContact",
			method: "POST",
			path: `/v1/contacts/upsert`,
			body,
			keyed: true
		}, options);
	}
	batch(body, options = {}) {
		return this.#caller.call({
			id: "batchContacts",
			method: "POST",
			path: `/v1/contacts/batch`,
			body,
			keyed: true
		}, options);
	}
	batchAll(contacts, options = {}) {
		return inBatches(contacts, 500, async (part, idempotencyKey) => (await this.batch({ contacts: part }, {
			...options,
			idempotencyKey
		})).results, options.idempotencyKey);
	}
	findByKey(key, value, options = {}) {
		return this.#caller.call({
			id: "findContactByKey",
			method: "GET",
			path: `/v1/contacts/by/${segment("key", key)}/${segment("value", value)}`
		}, options);
	}
	findByKeyWithEtag(key, value, options = {}) {
		return this.#caller.call({
			id: "findContactByKey",
			method: "GET",
			path: `/v1/contacts/by/${segment("key", key)}/${segment("value", value)}`,
			withEtag: true
		}, options);
	}
	search(body, options = {}) {
		return this.#caller.call({
			id: "searchContacts",
			method: "POST",
			path: `/v1/contacts/search`,
			body,
			keyed: true
		}, options);
	}
	iterateSearch(body, options = {}) {
		return everyOf((next) => this.search({
			...body,
			...next
		}, options));
	}
	count(body, options = {}) {
		return this.#caller.call({
			id: "countContacts",
			method: "POST",
			path: `/v1/contacts/count`,
			body,
			keyed: true
		}, options);
	}
	getConsent(id, options = {}) {
		return this.#caller.call({
			id: "readContactConsent",
			method: "GET",
			path: `/v1/contacts/${segment("id", id)}/consent`
		}, options);
	}
	putConsent(id, body, options = {}) {
		return this.#caller.call({
			id: "putContactConsent",
			method: "PUT",
			path: `/v1/contacts/${segment("id", id)}/consent`,
			body
		}, options);
	}
	merge(id, body, options = {}) {
		return this.#caller.call({
			id: "mergeContact",
			method: "POST",
			path: `/v1/contacts/${segment("id", id)}/merge`,
			body,
			keyed: true
		}, options);
	}
	listTimeline(id, query = {}, options = {}) {
		return this.#caller.call({
			id: "listContactTimeline",
			method: "GET",
			path: `/v1/contacts/${segment("id", id)}/timeline`,
			query
		}, options);
	}
	iterateTimeline(id, query = {}, options = {}) {
		return everyOf((next) => this.listTimeline(id, {
			...query,
			...next
		}, options));
	}
	getIdentities(id, options = {}) {
		return this.#caller.call({
			id: "readContactIdentities",
			method: "GET",
			path: `/v1/contacts/${segment("id", id)}/identities`
		}, options);
	}
	previewMerge(id, query, options = {}) {
		return this.#caller.call({
			id: "previewContactMerge",
			method: "GET",
			path: `/v1/contacts/${segment("id", id)}/merge-preview`,
			query
		}, options);
	}
	listDuplicates(query = {}, options = {}) {
		return this.#caller.call({
			id: "listContactDuplicates",
			method: "GET",
			path: `/v1/contacts/duplicates`,
			query
		}, options);
	}
	iterateDuplicates(query = {}, options = {}) {
		return everyOf((next) => this.listDuplicates({
			...query,
			...next
		}, options));
	}
	exportPerson(id, options = {}) {
		return this.#caller.call({
			id: "exportPerson",
			method: "GET",
			path: `/v1/contacts/${segment("id", id)}/export`
		}, options);
	}
};
var Segments = class {
	#caller;
	constructor(caller) {
		this.#caller = caller;
	}
	list(options = {}) {
		return this.#caller.call({
			id: "listSegments",
			method: "GET",
			path: `/v1/segments`
		}, options);
	}
	create(body, options = {}) {
		return this.#caller.call({
			id: "createSegment",
			method: "POST",
			path: `/v1/segments`,
			body,
			keyed: true
		}, options);
	}
	get(id, options = {}) {
		return this.#caller.call({
			id: "readSegment",
			method: "GET",
			path: `/v1/segments/${segment("id", id)}`
		}, options);
	}
	getWithEtag(id, options = {}) {
		return this.#caller.call({
			id: "readSegment",
			method: "GET",
			path: `/v1/segments/${segment("id", id)}`,
			withEtag: true
		}, options);
	}
	update(id, body, options = {}) {
		return this.#caller.call({
			id: "updateSegment",
			method: "PATCH",
			path: `/v1/segments/${segment("id", id)}`,
			body,
			ifMatch: options.ifMatch
		}, options);
	}
	updateWithEtag(id, body, options = {}) {
		return this.#caller.call({
			id: "updateSegment",
			method: "PATCH",
			path: `/v1/segments/${segment("id", id)}`,
			body,
			ifMatch: options.ifMatch,
			withEtag: true
		}, options);
	}
	delete(id, options = {}) {
		return this.#caller.call({
			id: "deleteSegment",
			method: "DELETE",
			path: `/v1/segments/${segment("id", id)}`,
			ifMatch: options.ifMatch
		}, options);
	}
	countDefinition(body, options = {}) {
		return this.#caller.call({
			id: "countDefinition",
			method: "POST",
			path: `/v1/segments/count`,
			body,
			keyed: true
		}, options);
	}
	sampleDefinition(body, options = {}) {
		return this.#caller.call({
			id: "sampleDefinition",
			method: "POST",
			path: `/v1/segments/sample`,
			body,
			keyed: true
		}, options);
	}
};
var Messages = class {
	#caller;
	constructor(caller) {
		this.#caller = caller;
	}
	send(body, options = {}) {
		return this.#caller.call({
			id: "sendMessage",
			method: "POST",
			path: `/v1/messages`,
			body,
			keyed: true
		}, options);
	}
	listAllMessages(query = {}, options = {}) {
		return this.#caller.call({
			id: "listAllMessages",
			method: "GET",
			path: `/v1/messages`,
			query
		}, options);
	}
	iterateAllMessages(query = {}, options = {}) {
		return everyOf((next) => this.listAllMessages({
			...query,
			...next
		}, options));
	}
	get(id, options = {}) {
		return this.#caller.call({
			id: "getMessage",
			method: "GET",
			path: `/v1/messages/${segment("id", id)}`
		}, options);
	}
};
var Otp = class {
	#caller;
	constructor(caller) {
		this.#caller = caller;
	}
	send(body, options = {}) {
		return this.#caller.call({
			id: "sendOtp",
			method: "POST",
			path: `/v1/otp/send`,
			body,
			keyed: true
		}, options);
	}
	startVerification(body, options = {}) {
		return this.#caller.call({
			id: "startVerification",
			method: "POST",
			path: `/v1/otp/verifications`,
			body,
			keyed: true
		}, options);
	}
	getVerification(id, options = {}) {
		return this.#caller.call({
			id: "readVerification",
			method: "GET",
			path: `/v1/otp/verifications/${segment("id", id)}`
		}, options);
	}
	checkVerification(id, body, options = {}) {
		return this.#caller.call({
			id: "checkVerification",
			method: "POST",
			path: `/v1/otp/verifications/${segment("id", id)}/check`,
			body,
			keyed: true
		}, options);
	}
	cancelVerification(id, options = {}) {
		return this.#caller.call({
			id: "cancelVerification",
			method: "POST",
			path: `/v1/otp/verifications/${segment("id", id)}/cancel`,
			keyed: true
		}, options);
	}
};
var Templates = class {
	#caller;
	constructor(caller) {
		this.#caller = caller;
	}
	list(query = {}, options = {}) {
		return this.#caller.call({
			id: "listTemplates",
			method: "GET",
			path: `/v1/templates`,
			query
		}, options);
	}
	create(body, options = {}) {
		return this.#caller.call({
			id: "createTemplate",
			method: "POST",
			path: `/v1/templates`,
			body,
			keyed: true
		}, options);
	}
	edit(id, body, options = {}) {
		return this.#caller.call({
			id: "editTemplate",
			method: "PUT",
			path: `/v1/templates/${segment("id", id)}`,
			body
		}, options);
	}
	delete(id, options = {}) {
		return this.#caller.call({
			id: "deleteTemplate",
			method: "DELETE",
			path: `/v1/templates/${segment("id", id)}`
		}, options);
	}
	get(id, options = {}) {
		return this.#caller.call({
			id: "readTemplate",
			method: "GET",
			path: `/v1/templates/${segment("id", id)}`
		}, options);
	}
};
var Broadcasts = class {
	#caller;
	constructor(caller) {
		this.#caller = caller;
	}
	list(options = {}) {
		return this.#caller.call({
			id: "listBroadcasts",
			method: "GET",
			path: `/v1/broadcasts`
		}, options);
	}
	create(body, options = {}) {
		return this.#caller.call({
			id: "createBroadcast",
			method: "POST",
			path: `/v1/broadcasts`,
			body,
			keyed: true
		}, options);
	}
	start(id, options = {}) {
		return this.#caller.call({
			id: "startBroadcast",
			method: "POST",
			path: `/v1/broadcasts/${segment("id", id)}/start`,
			keyed: true
		}, options);
	}
	get(id, query = {}, options = {}) {
		return this.#caller.call({
			id: "getBroadcast",
			method: "GET",
			path: `/v1/broadcasts/${segment("id", id)}`,
			query
		}, options);
	}
	getWithEtag(id, query = {}, options = {}) {
		return this.#caller.call({
			id: "getBroadcast",
			method: "GET",
			path: `/v1/broadcasts/${segment("id", id)}`,
			query,
			withEtag: true
		}, options);
	}
	update(id, body, options = {}) {
		return this.#caller.call({
			id: "updateBroadcast",
			method: "PATCH",
			path: `/v1/broadcasts/${segment("id", id)}`,
			body,
			ifMatch: options.ifMatch
		}, options);
	}
	updateWithEtag(id, body, options = {}) {
		return this.#caller.call({
			id: "updateBroadcast",
			method: "PATCH",
			path: `/v1/broadcasts/${segment("id", id)}`,
			body,
			ifMatch: options.ifMatch,
			withEtag: true
		}, options);
	}
	delete(id, options = {}) {
		return this.#caller.call({
			id: "deleteBroadcast",
			method: "DELETE",
			path: `/v1/broadcasts/${segment("id", id)}`,
			ifMatch: options.ifMatch
		}, options);
	}
	listRecipients(id, query = {}, options = {}) {
		return this.#caller.call({
			id: "listRecipients",
			method: "GET",
			path: `/v1/broadcasts/${segment("id", id)}/recipients`,
			query
		}, options);
	}
	iterateRecipients(id, query = {}, options = {}) {
		return everyOf((next) => this.listRecipients(id, {
			...query,
			...next
		}, options));
	}
	estimate(id, options = {}) {
		return this.#caller.call({
			id: "estimateBroadcast",
			method: "GET",
			path: `/v1/broadcasts/${segment("id", id)}/estimate`
		}, options);
	}
	preview(id, query = {}, options = {}) {
		return this.#caller.call({
			id: "previewBroadcast",
			method: "GET",
			path: `/v1/broadcasts/${segment("id", id)}/preview`,
			query
		}, options);
	}
	duplicate(id, body, options = {}) {
		return this.#caller.call({
			id: "duplicateBroadcast",
			method: "POST",
			path: `/v1/broadcasts/${segment("id", id)}/duplicate`,
			body,
			keyed: true
		}, options);
	}
	resendFailed(id, body, options = {}) {
		return this.#caller.call({
			id: "resendFailed",
			method: "POST",
			path: `/v1/broadcasts/${segment("id", id)}/resend-failed`,
			body,
			keyed: true
		}, options);
	}
	pause(id, options = {}) {
		return this.#caller.call({
			id: "pauseBroadcast",
			method: "POST",
			path: `/v1/broadcasts/${segment("id", id)}/pause`,
			keyed: true
		}, options);
	}
	cancel(id, options = {}) {
		return this.#caller.call({
			id: "cancelBroadcast",
			method: "POST",
			path: `/v1/broadcasts/${segment("id", id)}/cancel`,
			keyed: true
		}, options);
	}
	schedule(id, body, options = {}) {
		return this.#caller.call({
			id: "scheduleBroadcast",
			method: "POST",
			path: `/v1/broadcasts/${segment("id", id)}/schedule`,
			body,
			keyed: true
		}, options);
	}
	unschedule(id, options = {}) {
		return this.#caller.call({
			id: "unscheduleBroadcast",
			method: "POST",
			path: `/v1/broadcasts/${segment("id", id)}/unschedule`,
			keyed: true
		}, options);
	}
	pace(id, body, options = {}) {
		return this.#caller.call({
			id: "paceBroadcast",
			method: "POST",
			path: `/v1/broadcasts/${segment("id", id)}/pace`,
			body,
			keyed: true
		}, options);
	}
	test(id, body, options = {}) {
		return this.#caller.call({
			id: "testBroadcast",
			method: "POST",
			path: `/v1/broadcasts/${segment("id", id)}/test`,
			body,
			keyed: true
		}, options);
	}
	resendUnknown(id, options = {}) {
		return this.#caller.call({
			id: "resendUnknown",
			method: "POST",
			path: `/v1/broadcasts/${segment("id", id)}/resend-unknown`,
			keyed: true
		}, options);
	}
	search(body, options = {}) {
		return this.#caller.call({
			id: "searchBroadcasts",
			method: "POST",
			path: `/v1/broadcasts/search`,
			body,
			keyed: true
		}, options);
	}
	iterateSearch(body, options = {}) {
		return everyOf((next) => this.search({
			...body,
			...next
		}, options));
	}
	getReport(id, options = {}) {
		return this.#caller.call({
			id: "readBroadcastReport",
			method: "GET",
			path: `/v1/broadcasts/${segment("id", id)}/report`
		}, options);
	}
	getTimeline(id, query = {}, options = {}) {
		return this.#caller.call({
			id: "readBroadcastTimeline",
			method: "GET",
			path: `/v1/broadcasts/${segment("id", id)}/timeline`,
			query
		}, options);
	}
	compareVariants(id, options = {}) {
		return this.#caller.call({
			id: "compareBroadcastVariants",
			method: "GET",
			path: `/v1/broadcasts/${segment("id", id)}/variants`
		}, options);
	}
	breakDown(id, query = {}, options = {}) {
		return this.#caller.call({
			id: "breakBroadcastDown",
			method: "GET",
			path: `/v1/broadcasts/${segment("id", id)}/breakdown`,
			query
		}, options);
	}
	listReplies(id, query = {}, options = {}) {
		return this.#caller.call({
			id: "listBroadcastReplies",
			method: "GET",
			path: `/v1/broadcasts/${segment("id", id)}/replies`,
			query
		}, options);
	}
	iterateReplies(id, query = {}, options = {}) {
		return everyOf((next) => this.listReplies(id, {
			...query,
			...next
		}, options));
	}
	downloadRecipients(id, query = {}, options = {}) {
		return this.#caller.call({
			id: "downloadRecipients",
			method: "GET",
			path: `/v1/broadcasts/${segment("id", id)}/recipients.csv`,
			query
		}, options);
	}
	downloadRecipientsPieces(id, query = {}, options = {}) {
		return this.#caller.pieces({
			id: "downloadRecipients",
			method: "GET",
			path: `/v1/broadcasts/${segment("id", id)}/recipients.csv`,
			query
		}, options);
	}
};
var Usage = class {
	#caller;
	constructor(caller) {
		this.#caller = caller;
	}
	get(options = {}) {
		return this.#caller.call({
			id: "getUsage",
			method: "GET",
			path: `/v1/usage`
		}, options);
	}
	listMonths(query = {}, options = {}) {
		return this.#caller.call({
			id: "listUsageMonths",
			method: "GET",
			path: `/v1/usage/history`,
			query
		}, options);
	}
	iterateMonths(query = {}, options = {}) {
		return everyOf((next) => this.listMonths({
			...query,
			...next
		}, options));
	}
};
var Conversations = class {
	#caller;
	constructor(caller) {
		this.#caller = caller;
	}
	get(id, query = {}, options = {}) {
		return this.#caller.call({
			id: "getConversation",
			method: "GET",
			path: `/v1/conversations/${segment("id", id)}`,
			query
		}, options);
	}
	getWithEtag(id, query = {}, options = {}) {
		return this.#caller.call({
			id: "getConversation",
			method: "GET",
			path: `/v1/conversations/${segment("id", id)}`,
			query,
			withEtag: true
		}, options);
	}
	change(id, body, options = {}) {
		return this.#caller.call({
			id: "changeConversation",
			method: "PATCH",
			path: `/v1/conversations/${segment("id", id)}`,
			body,
			ifMatch: options.ifMatch
		}, options);
	}
	changeWithEtag(id, body, options = {}) {
		return this.#caller.call({
			id: "changeConversation",
			method: "PATCH",
			path: `/v1/conversations/${segment("id", id)}`,
			body,
			ifMatch: options.ifMatch,
			withEtag: true
		}, options);
	}
	listMessages(id, query = {}, options = {}) {
		return this.#caller.call({
			id: "listMessages",
			method: "GET",
			path: `/v1/conversations/${segment("id", id)}/messages`,
			query
		}, options);
	}
	iterateMessages(id, query = {}, options = {}) {
		return everyOf((next) => this.listMessages(id, {
			...query,
			...next
		}, options));
	}
	sendInConversation(id, body, options = {}) {
		return this.#caller.call({
			id: "sendInConversation",
			method: "POST",
			path: `/v1/conversations/${segment("id", id)}/messages`,
			body,
			keyed: true
		}, options);
	}
	list(query = {}, options = {}) {
		return this.#caller.call({
			id: "listConversations",
			method: "GET",
			path: `/v1/conversations`,
			query
		}, options);
	}
	iterate(query = {}, options = {}) {
		return everyOf((next) => this.list({
			...query,
			...next
		}, options));
	}
	changeManyConversations(body, options = {}) {
		return this.#caller.call({
			id: "changeManyConversations",
			method: "POST",
			path: `/v1/conversations/changes`,
			body,
			keyed: true
		}, options);
	}
	listNotes(id, query = {}, options = {}) {
		return this.#caller.call({
			id: "listNotes",
			method: "GET",
			path: `/v1/conversations/${segment("id", id)}/notes`,
			query
		}, options);
	}
	iterateNotes(id, query = {}, options = {}) {
		return everyOf((next) => this.listNotes(id, {
			...query,
			...next
		}, options));
	}
	writeNote(id, body, options = {}) {
		return this.#caller.call({
			id: "writeNote",
			method: "POST",
			path: `/v1/conversations/${segment("id", id)}/notes`,
			body,
			keyed: true
		}, options);
	}
	suggestReply(id, body, options = {}) {
		return this.#caller.call({
			id: "suggestReply",
			method: "PUT",
			path: `/v1/conversations/${segment("id", id)}/suggestion`,
			body
		}, options);
	}
	getSuggestion(id, options = {}) {
		return this.#caller.call({
			id: "readSuggestion",
			method: "GET",
			path: `/v1/conversations/${segment("id", id)}/suggestion`
		}, options);
	}
	withdrawSuggestion(id, options = {}) {
		return this.#caller.call({
			id: "withdrawSuggestion",
			method: "DELETE",
			path: `/v1/conversations/${segment("id", id)}/suggestion`
		}, options);
	}
	handOverConversation(id, body, options = {}) {
		return this.#caller.call({
			id: "handOverConversation",
			method: "POST",
			path: `/v1/conversations/${segment("id", id)}/hand-over`,
			body,
			keyed: true
		}, options);
	}
	giveBack(id, options = {}) {
		return this.#caller.call({
			id: "giveConversationBack",
			method: "POST",
			path: `/v1/conversations/${segment("id", id)}/give-back`,
			keyed: true
		}, options);
	}
};
var Events = class {
	#caller;
	constructor(caller) {
		this.#caller = caller;
	}
	list(query = {}, options = {}) {
		return this.#caller.call({
			id: "listEvents",
			method: "GET",
			path: `/v1/events`,
			query
		}, options);
	}
	iterate(query = {}, options = {}) {
		return everyOf((next) => this.list({
			...query,
			...next
		}, options), {
			after: query.after,
			onGap: options.onGap
		});
	}
	stream(query = {}, options = {}) {
		return this.#caller.stream({
			id: "streamEvents",
			method: "GET",
			path: `/v1/events/stream`,
			query
		}, options);
	}
};
var Labels = class {
	#caller;
	constructor(caller) {
		this.#caller = caller;
	}
	list(query = {}, options = {}) {
		return this.#caller.call({
			id: "listLabels",
			method: "GET",
			path: `/v1/labels`,
			query
		}, options);
	}
	iterate(query = {}, options = {}) {
		return everyOf((next) => this.list({
			...query,
			...next
		}, options));
	}
	put(name, body, options = {}) {
		return this.#caller.call({
			id: "putLabel",
			method: "PUT",
			path: `/v1/labels/${segment("name", name)}`,
			body
		}, options);
	}
	get(name, options = {}) {
		return this.#caller.call({
			id: "readLabel",
			method: "GET",
			path: `/v1/labels/${segment("name", name)}`
		}, options);
	}
	delete(name, options = {}) {
		return this.#caller.call({
			id: "deleteLabel",
			method: "DELETE",
			path: `/v1/labels/${segment("name", name)}`
		}, options);
	}
};
var Test = class {
	#caller;
	constructor(caller) {
		this.#caller = caller;
	}
	playInbound(body, options = {}) {
		return this.#caller.call({
			id: "playInbound",
			method: "POST",
			path: `/v1/test/inbound`,
			body,
			keyed: true
		}, options);
	}
};
var TemplateMessages = class {
	#caller;
	constructor(caller) {
		this.#caller = caller;
	}
	send(body, options = {}) {
		return this.#caller.call({
			id: "sendTemplateMessage",
			method: "POST",
			path: `/v1/template-messages`,
			body,
			keyed: true
		}, options);
	}
	sendTemplateBatch(body, options = {}) {
		return this.#caller.call({
			id: "sendTemplateBatch",
			method: "POST",
			path: `/v1/template-messages/batch`,
			body,
			keyed: true
		}, options);
	}
	sendAll(messages, options = {}) {
		return inBatches(messages, 100, async (part, idempotencyKey) => (await this.sendTemplateBatch({ messages: part }, {
			...options,
			idempotencyKey
		})).results, options.idempotencyKey);
	}
};
var Notes = class {
	#caller;
	constructor(caller) {
		this.#caller = caller;
	}
	change(id, body, options = {}) {
		return this.#caller.call({
			id: "changeNote",
			method: "PATCH",
			path: `/v1/notes/${segment("id", id)}`,
			body
		}, options);
	}
	remove(id, options = {}) {
		return this.#caller.call({
			id: "removeNote",
			method: "DELETE",
			path: `/v1/notes/${segment("id", id)}`
		}, options);
	}
};
var Media = class {
	#caller;
	constructor(caller) {
		this.#caller = caller;
	}
	store(body, options = {}) {
		return this.#caller.call({
			id: "storeMedia",
			method: "POST",
			path: `/v1/media`,
			body,
			keyed: true
		}, options);
	}
	storeFile(file, query, options = {}) {
		return this.#caller.call({
			id: "storeMedia",
			method: "POST",
			path: `/v1/media`,
			body: file,
			bodyType: options.mediaType ?? "application/octet-stream",
			query,
			keyed: true
		}, options);
	}
	get(id, options = {}) {
		return this.#caller.call({
			id: "readMedia",
			method: "GET",
			path: `/v1/media/${segment("id", id)}`
		}, options);
	}
	download(id, options = {}) {
		return this.#caller.call({
			id: "downloadMedia",
			method: "GET",
			path: `/v1/media/${segment("id", id)}/content`,
			binary: true
		}, options);
	}
	downloadPieces(id, options = {}) {
		return this.#caller.pieces({
			id: "downloadMedia",
			method: "GET",
			path: `/v1/media/${segment("id", id)}/content`,
			binary: true
		}, options);
	}
};
var SavedReplies = class {
	#caller;
	constructor(caller) {
		this.#caller = caller;
	}
	list(options = {}) {
		return this.#caller.call({
			id: "listSavedReplies",
			method: "GET",
			path: `/v1/saved-replies`
		}, options);
	}
	put(shortcut, body, options = {}) {
		return this.#caller.call({
			id: "putSavedReply",
			method: "PUT",
			path: `/v1/saved-replies/${segment("shortcut", shortcut)}`,
			body
		}, options);
	}
	remove(shortcut, options = {}) {
		return this.#caller.call({
			id: "removeSavedReply",
			method: "DELETE",
			path: `/v1/saved-replies/${segment("shortcut", shortcut)}`
		}, options);
	}
};
var Members = class {
	#caller;
	constructor(caller) {
		this.#caller = caller;
	}
	listTeamMembers(query = {}, options = {}) {
		return this.#caller.call({
			id: "listTeamMembers",
			method: "GET",
			path: `/v1/members`,
			query
		}, options);
	}
	iterateTeamMembers(query = {}, options = {}) {
		return everyOf((next) => this.listTeamMembers({
			...query,
			...next
		}, options));
	}
};
var Me = class {
	#caller;
	constructor(caller) {
		this.#caller = caller;
	}
	get(options = {}) {
		return this.#caller.call({
			id: "readMe",
			method: "GET",
			path: `/v1/me`
		}, options);
	}
};
var Erasures = class {
	#caller;
	constructor(caller) {
		this.#caller = caller;
	}
	get(id, options = {}) {
		return this.#caller.call({
			id: "readErasure",
			method: "GET",
			path: `/v1/erasures/${segment("id", id)}`
		}, options);
	}
};
var ContactJobs = class {
	#caller;
	constructor(caller) {
		this.#caller = caller;
	}
	start(body, options = {}) {
		return this.#caller.call({
			id: "startContactJob",
			method: "POST",
			path: `/v1/contact-jobs`,
			body,
			keyed: true
		}, options);
	}
	list(query = {}, options = {}) {
		return this.#caller.call({
			id: "listContactJobs",
			method: "GET",
			path: `/v1/contact-jobs`,
			query
		}, options);
	}
	iterate(query = {}, options = {}) {
		return everyOf((next) => this.list({
			...query,
			...next
		}, options));
	}
	get(id, options = {}) {
		return this.#caller.call({
			id: "readContactJob",
			method: "GET",
			path: `/v1/contact-jobs/${segment("id", id)}`
		}, options);
	}
	move(id, body, options = {}) {
		return this.#caller.call({
			id: "moveContactJob",
			method: "POST",
			path: `/v1/contact-jobs/${segment("id", id)}/moves`,
			body,
			keyed: true
		}, options);
	}
};
var ContactAttributes = class {
	#caller;
	constructor(caller) {
		this.#caller = caller;
	}
	list(query = {}, options = {}) {
		return this.#caller.call({
			id: "listContactAttributes",
			method: "GET",
			path: `/v1/contact-attributes`,
			query
		}, options);
	}
	iterate(query = {}, options = {}) {
		return everyOf((next) => this.list({
			...query,
			...next
		}, options));
	}
	put(key, body, options = {}) {
		return this.#caller.call({
			id: "putContactAttribute",
			method: "PUT",
			path: `/v1/contact-attributes/${segment("key", key)}`,
			body
		}, options);
	}
	get(key, options = {}) {
		return this.#caller.call({
			id: "readContactAttribute",
			method: "GET",
			path: `/v1/contact-attributes/${segment("key", key)}`
		}, options);
	}
	delete(key, options = {}) {
		return this.#caller.call({
			id: "deleteContactAttribute",
			method: "DELETE",
			path: `/v1/contact-attributes/${segment("key", key)}`
		}, options);
	}
};
var BroadcastEstimates = class {
	#caller;
	constructor(caller) {
		this.#caller = caller;
	}
	estimateDraft(body, options = {}) {
		return this.#caller.call({
			id: "estimateDraft",
			method: "POST",
			path: `/v1/broadcast-estimates`,
			body,
			keyed: true
		}, options);
	}
};
var BroadcastPreviews = class {
	#caller;
	constructor(caller) {
		this.#caller = caller;
	}
	previewDraft(body, options = {}) {
		return this.#caller.call({
			id: "previewDraft",
			method: "POST",
			path: `/v1/broadcast-previews`,
			body,
			keyed: true
		}, options);
	}
};
var WebhookEndpoints = class {
	#caller;
	constructor(caller) {
		this.#caller = caller;
	}
	list(query = {}, options = {}) {
		return this.#caller.call({
			id: "listWebhookEndpoints",
			method: "GET",
			path: `/v1/webhook-endpoints`,
			query
		}, options);
	}
	iterate(query = {}, options = {}) {
		return everyOf((next) => this.list({
			...query,
			...next
		}, options));
	}
	put(name, body, options = {}) {
		return this.#caller.call({
			id: "putWebhookEndpoint",
			method: "PUT",
			path: `/v1/webhook-endpoints/by-name/${segment("name", name)}`,
			body
		}, options);
	}
	get(id, options = {}) {
		return this.#caller.call({
			id: "readWebhookEndpoint",
			method: "GET",
			path: `/v1/webhook-endpoints/${segment("id", id)}`
		}, options);
	}
	getWithEtag(id, options = {}) {
		return this.#caller.call({
			id: "readWebhookEndpoint",
			method: "GET",
			path: `/v1/webhook-endpoints/${segment("id", id)}`,
			withEtag: true
		}, options);
	}
	change(id, body, options = {}) {
		return this.#caller.call({
			id: "changeWebhookEndpoint",
			method: "PATCH",
			path: `/v1/webhook-endpoints/${segment("id", id)}`,
			body,
			ifMatch: options.ifMatch
		}, options);
	}
	changeWithEtag(id, body, options = {}) {
		return this.#caller.call({
			id: "changeWebhookEndpoint",
			method: "PATCH",
			path: `/v1/webhook-endpoints/${segment("id", id)}`,
			body,
			ifMatch: options.ifMatch,
			withEtag: true
		}, options);
	}
	delete(id, options = {}) {
		return this.#caller.call({
			id: "deleteWebhookEndpoint",
			method: "DELETE",
			path: `/v1/webhook-endpoints/${segment("id", id)}`,
			ifMatch: options.ifMatch
		}, options);
	}
	test(id, options = {}) {
		return this.#caller.call({
			id: "testWebhookEndpoint",
			method: "POST",
			path: `/v1/webhook-endpoints/${segment("id", id)}/test`,
			keyed: true
		}, options);
	}
	rotateWebhookSecret(id, body, options = {}) {
		return this.#caller.call({
			id: "rotateWebhookSecret",
			method: "POST",
			path: `/v1/webhook-endpoints/${segment("id", id)}/rotate-secret`,
			body,
			keyed: true
		}, options);
	}
	redeliverEvents(id, body, options = {}) {
		return this.#caller.call({
			id: "redeliverEvents",
			method: "POST",
			path: `/v1/webhook-endpoints/${segment("id", id)}/redeliver`,
			body,
			keyed: true
		}, options);
	}
	listWebhookDeliveries(id, query = {}, options = {}) {
		return this.#caller.call({
			id: "listWebhookDeliveries",
			method: "GET",
			path: `/v1/webhook-endpoints/${segment("id", id)}/deliveries`,
			query
		}, options);
	}
	iterateWebhookDeliveries(id, query = {}, options = {}) {
		return everyOf((next) => this.listWebhookDeliveries(id, {
			...query,
			...next
		}, options));
	}
	getWebhookDelivery(id, eventId, options = {}) {
		return this.#caller.call({
			id: "readWebhookDelivery",
			method: "GET",
			path: `/v1/webhook-endpoints/${segment("id", id)}/deliveries/${segment("eventId", eventId)}`
		}, options);
	}
};
var Imports = class {
	#caller;
	constructor(caller) {
		this.#caller = caller;
	}
	list(query = {}, options = {}) {
		return this.#caller.call({
			id: "listImports",
			method: "GET",
			path: `/v1/imports`,
			query
		}, options);
	}
	iterate(query = {}, options = {}) {
		return everyOf((next) => this.list({
			...query,
			...next
		}, options));
	}
	upload(body, query, options = {}) {
		return this.#caller.call({
			id: "uploadImport",
			method: "POST",
			path: `/v1/imports`,
			body,
			bodyType: "text/csv",
			query,
			keyed: true
		}, options);
	}
	get(id, options = {}) {
		return this.#caller.call({
			id: "readImport",
			method: "GET",
			path: `/v1/imports/${segment("id", id)}`
		}, options);
	}
	lookAtImport(id, body, options = {}) {
		return this.#caller.call({
			id: "lookAtImport",
			method: "POST",
			path: `/v1/imports/${segment("id", id)}/look`,
			body,
			keyed: true
		}, options);
	}
	start(id, body, options = {}) {
		return this.#caller.call({
			id: "startImport",
			method: "POST",
			path: `/v1/imports/${segment("id", id)}/start`,
			body,
			keyed: true
		}, options);
	}
	cancel(id, options = {}) {
		return this.#caller.call({
			id: "cancelImport",
			method: "POST",
			path: `/v1/imports/${segment("id", id)}/cancel`,
			keyed: true
		}, options);
	}
	downloadRefusedRows(id, options = {}) {
		return this.#caller.call({
			id: "downloadRefusedRows",
			method: "GET",
			path: `/v1/imports/${segment("id", id)}/refused`
		}, options);
	}
	downloadRefusedRowsPieces(id, options = {}) {
		return this.#caller.pieces({
			id: "downloadRefusedRows",
			method: "GET",
			path: `/v1/imports/${segment("id", id)}/refused`
		}, options);
	}
};
var Exports = class {
	#caller;
	constructor(caller) {
		this.#caller = caller;
	}
	create(body, options = {}) {
		return this.#caller.call({
			id: "createExport",
			method: "POST",
			path: `/v1/exports`,
			body,
			keyed: true
		}, options);
	}
	get(id, options = {}) {
		return this.#caller.call({
			id: "readExport",
			method: "GET",
			path: `/v1/exports/${segment("id", id)}`
		}, options);
	}
	download(id, options = {}) {
		return this.#caller.call({
			id: "downloadExport",
			method: "GET",
			path: `/v1/exports/${segment("id", id)}/content`
		}, options);
	}
	downloadPieces(id, options = {}) {
		return this.#caller.pieces({
			id: "downloadExport",
			method: "GET",
			path: `/v1/exports/${segment("id", id)}/content`
		}, options);
	}
};
var Limits = class {
	#caller;
	constructor(caller) {
		this.#caller = caller;
	}
	get(options = {}) {
		return this.#caller.call({
			id: "readLimits",
			method: "GET",
			path: `/v1/limits`
		}, options);
	}
};
var Audit = class {
	#caller;
	constructor(caller) {
		this.#caller = caller;
	}
	listEntries(query = {}, options = {}) {
		return this.#caller.call({
			id: "listAuditEntries",
			method: "GET",
			path: `/v1/audit`,
			query
		}, options);
	}
	iterateEntries(query = {}, options = {}) {
		return everyOf((next) => this.listEntries({
			...query,
			...next
		}, options));
	}
};
var Channels = class {
	#caller;
	constructor(caller) {
		this.#caller = caller;
	}
	list(query = {}, options = {}) {
		return this.#caller.call({
			id: "listChannels",
			method: "GET",
			path: `/v1/channels`,
			query
		}, options);
	}
	iterate(query = {}, options = {}) {
		return everyOf((next) => this.list({
			...query,
			...next
		}, options));
	}
	connect(body, options = {}) {
		return this.#caller.call({
			id: "connectChannel",
			method: "POST",
			path: `/v1/channels`,
			body,
			keyed: true
		}, options);
	}
	get(id, options = {}) {
		return this.#caller.call({
			id: "readChannel",
			method: "GET",
			path: `/v1/channels/${segment("id", id)}`
		}, options);
	}
	change(id, body, options = {}) {
		return this.#caller.call({
			id: "changeChannel",
			method: "PATCH",
			path: `/v1/channels/${segment("id", id)}`,
			body
		}, options);
	}
	test(id, options = {}) {
		return this.#caller.call({
			id: "testChannel",
			method: "POST",
			path: `/v1/channels/${segment("id", id)}/test`,
			keyed: true
		}, options);
	}
	disconnect(id, options = {}) {
		return this.#caller.call({
			id: "disconnectChannel",
			method: "POST",
			path: `/v1/channels/${segment("id", id)}/disconnect`,
			keyed: true
		}, options);
	}
	setPace(id, body, options = {}) {
		return this.#caller.call({
			id: "setChannelPace",
			method: "PUT",
			path: `/v1/channels/${segment("id", id)}/pace`,
			body
		}, options);
	}
	syncTemplates(id, options = {}) {
		return this.#caller.call({
			id: "syncTemplates",
			method: "POST",
			path: `/v1/channels/${segment("id", id)}/template-sync`,
			keyed: true
		}, options);
	}
};
var ChannelTypes = class {
	#caller;
	constructor(caller) {
		this.#caller = caller;
	}
	list(query = {}, options = {}) {
		return this.#caller.call({
			id: "listChannelTypes",
			method: "GET",
			path: `/v1/channel-types`,
			query
		}, options);
	}
};
var Retention = class {
	#caller;
	constructor(caller) {
		this.#caller = caller;
	}
	get(options = {}) {
		return this.#caller.call({
			id: "readRetention",
			method: "GET",
			path: `/v1/retention`
		}, options);
	}
	change(body, options = {}) {
		return this.#caller.call({
			id: "changeRetention",
			method: "PATCH",
			path: `/v1/retention`,
			body
		}, options);
	}
	preview(body, options = {}) {
		return this.#caller.call({
			id: "previewRetention",
			method: "POST",
			path: `/v1/retention/preview`,
			body,
			keyed: true
		}, options);
	}
};
var Knowledge = class {
	#caller;
	constructor(caller) {
		this.#caller = caller;
	}
	put(externalId, body, options = {}) {
		return this.#caller.call({
			id: "putKnowledge",
			method: "PUT",
			path: `/v1/knowledge/${segment("externalId", externalId)}`,
			body
		}, options);
	}
	remove(externalId, options = {}) {
		return this.#caller.call({
			id: "removeKnowledge",
			method: "DELETE",
			path: `/v1/knowledge/${segment("externalId", externalId)}`
		}, options);
	}
};
var Bots = class {
	#caller;
	constructor(caller) {
		this.#caller = caller;
	}
	list(options = {}) {
		return this.#caller.call({
			id: "listBots",
			method: "GET",
			path: `/v1/bots`
		}, options);
	}
};
var Resources = class {
	contacts;
	segments;
	messages;
	otp;
	templates;
	broadcasts;
	usage;
	conversations;
	events;
	labels;
	test;
	templateMessages;
	notes;
	media;
	savedReplies;
	members;
	me;
	erasures;
	contactJobs;
	contactAttributes;
	broadcastEstimates;
	broadcastPreviews;
	webhookEndpoints;
	imports;
	exports;
	limits;
	audit;
	channels;
	channelTypes;
	retention;
	knowledge;
	bots;
	constructor(caller) {
		this.contacts = new Contacts(caller);
		this.segments = new Segments(caller);
		this.messages = new Messages(caller);
		this.otp = new Otp(caller);
		this.templates = new Templates(caller);
		this.broadcasts = new Broadcasts(caller);
		this.usage = new Usage(caller);
		this.conversations = new Conversations(caller);
		this.events = new Events(caller);
		this.labels = new Labels(caller);
		this.test = new Test(caller);
		this.templateMessages = new TemplateMessages(caller);
		this.notes = new Notes(caller);
		this.media = new Media(caller);
		this.savedReplies = new SavedReplies(caller);
		this.members = new Members(caller);
		this.me = new Me(caller);
		this.erasures = new Erasures(caller);
		this.contactJobs = new ContactJobs(caller);
		this.contactAttributes = new ContactAttributes(caller);
		this.broadcastEstimates = new BroadcastEstimates(caller);
		this.broadcastPreviews = new BroadcastPreviews(caller);
		this.webhookEndpoints = new WebhookEndpoints(caller);
		this.imports = new Imports(caller);
		this.exports = new Exports(caller);
		this.limits = new Limits(caller);
		this.audit = new Audit(caller);
		this.channels = new Channels(caller);
		this.channelTypes = new ChannelTypes(caller);
		this.retention = new Retention(caller);
		this.knowledge = new Knowledge(caller);
		this.bots = new Bots(caller);
	}
};
var ParleyError = class extends Error {
	name = "ParleyError";
	code;
	status;
	requestId;
	details;
	limit;
	usage;
	retryAfterMs;
	idempotencyKey;
	attempts;
	constructor(code, facts) {
		const faults = facts.body?.details ?? [];
		const why = faults.map(({ path, message }) => path ? `${path}: ${message}` : message).join("; ") || facts.hint;
		super(why ? `${code} (${why})` : code, { cause: facts.cause });
		this.code = code;
		this.status = facts.status;
		this.requestId = facts.requestId;
		this.details = faults;
		this.limit = facts.body?.limit ?? null;
		this.usage = facts.body?.usage ?? null;
		this.retryAfterMs = facts.retryAfterMs;
		this.idempotencyKey = facts.idempotencyKey;
		this.attempts = facts.attempts;
	}
};
function failed(code, facts) {
	return new ParleyError(code, {
		status: null,
		requestId: null,
		retryAfterMs: null,
		...facts
	});
}
var refused = (code, facts) => ({
	ok: false,
	error: failed(code, facts)
});
function read(response, text, facts) {
	if (response.ok && response.headers.get("content-type")?.startsWith("text/csv")) return {
		ok: true,
		value: text
	};
	const body = parse$1(text);
	if (response.ok && body !== void 0) return {
		ok: true,
		value: body
	};
	const requestId = response.headers.get("x-request-id");
	const known = {
		...facts,
		status: response.status,
		requestId,
		retryAfterMs: readRetryAfter(response)
	};
	if (typeof body !== "object" || body === null || !("message" in body) || response.ok) return refused("UNEXPECTED_ANSWER", {
		...known,
		hint: `status ${response.status} without the API's body`
	});
	const error = body;
	const hint = error.message === "ROUTE_NOT_FOUND" ? { hint: "does baseUrl end in /api?" } : {};
	return refused(String(error.message), {
		...known,
		...hint,
		body: error
	});
}
function parse$1(text) {
	try {
		return JSON.parse(text);
	} catch {
		return;
	}
}
function readRetryAfter({ headers, status }) {
	const text = headers.get("retry-after") ?? (status === 429 && headers.get("ratelimit-reset"));
	if (!text) return null;
	const ms = /^\d{1,7}$/.test(text) ? Number(text) * 1e3 : Date.parse(text) - Date.now();
	return ms > 0 ? ms : null;
}
var REPEATABLE = /* @__PURE__ */ new Set([
	"GET",
	"PUT",
	"DELETE"
]);
var UNSENT = /* @__PURE__ */ new Set([
	"ECONNREFUSED",
	"ENOTFOUND",
	"EAI_AGAIN",
	"EHOSTUNREACH",
	"ENETUNREACH",
	"UND_ERR_CONNECT_TIMEOUT",
	"ConnectionRefused",
	"FailedToOpenSocket"
]);
function wasUnsent(cause) {
	if (!(cause instanceof Error)) return false;
	if ("code" in cause && UNSENT.has(cause.code)) return true;
	return cause.message.includes("client error (Connect)") || wasUnsent(cause.cause);
}
function mayRepeat(request, { status, code, cause }) {
	if (code === "STREAM_REPLACED") return false;
	if (status === 429) return true;
	if (code === "STORAGE_FULL") return false;
	if (status === 409) return code === "IDEMPOTENCY_IN_PROGRESS";
	if (status === null && wasUnsent(cause)) return true;
	if (!REPEATABLE.has(request.method) && !request.keyed && !request.repeatable) return status === 503 && code === "OVERLOADED";
	return status === null || status >= 500;
}
async function* readPieces(transport, request, options) {
	const { signal } = options;
	const stop = new AbortController();
	const abort = () => stop.abort();
	signal?.addEventListener("abort", abort, { once: true });
	try {
		const reader = (await open(transport, request, options, stop.signal)).getReader();
		for (;;) {
			const timer = setTimeout(abort, options.timeoutMs ?? transport.timeoutMs);
			let piece;
			try {
				piece = await reader.read();
			} catch (cause) {
				signal?.throwIfAborted();
				throw failed("CONNECTION_FAILED", {
					attempts: 1,
					idempotencyKey: null,
					cause,
					hint: "the file was cut off"
				});
			} finally {
				clearTimeout(timer);
			}
			if (piece.done) return;
			yield piece.value;
		}
	} finally {
		signal?.removeEventListener("abort", abort);
		stop.abort();
	}
}
async function open(transport, request, options, signal) {
	const until = await transport.begin(options);
	for (let attempt = 1;; attempt++) try {
		return await transport.open(request, options, signal, attempt, { accept: "*/*" });
	} catch (error) {
		if (!(error instanceof ParleyError)) throw error;
		if (!await transport.again(request, error, attempt, until, options)) throw error;
	}
}
var SILENCE_MS = 45e3;
async function* readStream(transport, request, options) {
	const { signal } = options;
	let lastId = null;
	let maxRetries = options.maxRetries;
	let until = await transport.begin(options);
	for (let attempt = 1;; attempt++) {
		signal?.throwIfAborted();
		const stop = new AbortController();
		const abort = () => stop.abort();
		signal?.addEventListener("abort", abort, { once: true });
		let failure = failed("CONNECTION_FAILED", {
			attempts: attempt,
			idempotencyKey: null,
			hint: "the stream ended"
		});
		try {
			const headers = {
				accept: "text/event-stream",
				...lastId !== null && { "last-event-id": lastId }
			};
			const body = await transport.open(request, options, stop.signal, attempt, headers);
			for await (const frame of framesOf(body, abort)) {
				attempt = 0;
				maxRetries ??= Infinity;
				until = Infinity;
				if (frame.id !== void 0) lastId = frame.id;
				if (frame.event === "gap") options.onGap?.(JSON.parse(frame.data));
				else if (frame.event === "end") {
					if (JSON.parse(frame.data).reason === "replaced") throw failed("STREAM_REPLACED", {
						attempts: 1,
						idempotencyKey: null
					});
				} else if (frame.data !== "" && frame.event !== "open") yield JSON.parse(frame.data);
			}
		} catch (error) {
			signal?.throwIfAborted();
			if (!(error instanceof ParleyError)) throw error;
			failure = error;
		} finally {
			signal?.removeEventListener("abort", abort);
			stop.abort();
		}
		if (!await transport.again(request, failure, attempt || 1, until, {
			signal,
			maxRetries
		})) throw failure;
	}
}
async function* framesOf(body, giveUp) {
	const reader = body.getReader();
	const decoder = new TextDecoder();
	let rest = "";
	for (;;) {
		const timer = setTimeout(giveUp, SILENCE_MS);
		let chunk;
		try {
			chunk = await reader.read();
		} catch {
			return;
		} finally {
			clearTimeout(timer);
		}
		if (chunk.done) return;
		rest += decoder.decode(chunk.value, { stream: true }).replaceAll("\r", "");
		for (let end = rest.indexOf("\n\n"); end >= 0; end = rest.indexOf("\n\n")) {
			yield readFrame(rest.slice(0, end));
			rest = rest.slice(end + 2);
		}
	}
}
function readFrame(text) {
	let event = "message";
	let id;
	const data = [];
	for (const line of text.split("\n")) {
		const [, name, value = ""] = /^(\w+):? ?(.*)$/.exec(line) ?? [];
		if (name === "event") event = value;
		else if (name === "id") id = value;
		else if (name === "data") data.push(value);
	}
	return {
		event,
		data: data.join("\n"),
		...id !== void 0 && { id }
	};
}
var RateGate = class {
	#around;
	#limit = null;
	#remaining = 0;
	#resetAt = 0;
	#inAir = 0;
	constructor(around) {
		this.#around = around;
	}
	get current() {
		if (this.#limit === null) return null;
		return {
			limit: this.#limit,
			remaining: Math.max(0, this.#remaining),
			resetAt: new Date(this.#resetAt)
		};
	}
	async enter(wait, signal, until = Infinity) {
		while (wait && this.#limit !== null && this.#remaining <= 0) {
			const ms = this.#resetAt - this.#around.now();
			if (ms > 0 && this.#resetAt > until) return false;
			if (ms > 0) await this.#around.sleep(ms, signal);
			else {
				this.#resetAt = this.#around.now() + 1e3;
				break;
			}
		}
		this.#remaining--;
		this.#inAir++;
		return true;
	}
	leave(headers) {
		this.#inAir--;
		const [limit, remaining, reset] = [
			"limit",
			"remaining",
			"reset"
		].map((name) => readCount(headers?.get(`ratelimit-${name}`)));
		if (limit === null || limit === void 0 || remaining === null || remaining === void 0) return;
		this.#limit = limit;
		this.#remaining = remaining - this.#inAir;
		this.#resetAt = this.#around.now() + (reset ?? 0) * 1e3;
	}
};
function readCount(text) {
	return text && /^\d{1,9}$/.test(text) ? Number(text) : null;
}
var GIVE_UP_AFTER_MS = 9e4;
var FIRST_GAP_MS = 500;
var LONGEST_GAP_MS = 8e3;
var Transport = class {
	rate;
	#options;
	#around;
	#saidAbsent = false;
	constructor(options, around) {
		this.#options = options;
		this.#around = around;
		this.rate = new RateGate(around);
	}
	get timeoutMs() {
		return this.#options.timeoutMs;
	}
	async call(request, options) {
		const key = request.keyed ? options.idempotencyKey ?? await newKey() : null;
		if (key !== null && !/^[ -~\xa0-\xff]{1,255}$/.test(key)) throw new TypeError("idempotencyKey must be 1 to 255 characters that a header can carry");
		const body = isRaw(request) ? request.body : request.body && JSON.stringify(request.body);
		const headers = {
			accept: "application/json",
			...request.ifMatch !== void 0 && { "if-match": request.ifMatch }
		};
		const until = await this.begin(options);
		for (let attempt = 1;; attempt++) {
			const outcome = await this.#try({
				request,
				headers,
				options,
				attempt,
				key,
				body
			});
			if (outcome.ok) return outcome.value;
			if (!await this.again(request, outcome.error, attempt, until, options)) throw outcome.error;
		}
	}
	async begin(options) {
		options.signal?.throwIfAborted();
		await this.rate.enter(this.#options.waitForRateLimit, options.signal);
		const counted = (options.maxRetries ?? this.#options.maxRetries) !== void 0;
		const most = this.#options.giveUpAfterMs ?? (counted ? Infinity : GIVE_UP_AFTER_MS);
		return this.#around.now() + most;
	}
	#gap(attempt, asked) {
		const most = Math.min(LONGEST_GAP_MS, FIRST_GAP_MS * 2 ** (attempt - 1));
		const jitter = this.#around.random();
		return asked === null ? most * (.5 + jitter / 2) : asked + jitter * 250;
	}
	async again(request, error, attempt, until, options) {
		if (attempt > (options.maxRetries ?? this.#options.maxRetries ?? Infinity) || !mayRepeat(request, error)) return false;
		if ((error.retryAfterMs ?? 0) > this.#options.maxWaitMs) return false;
		const wait = this.#gap(attempt, error.retryAfterMs);
		const left = until - this.#around.now();
		if ((error.retryAfterMs ?? wait) > left) return false;
		if (error.status === null && wasUnsent(error.cause)) this.#sayAbsent(left);
		await this.#around.sleep(wait, options.signal);
		const { waitForRateLimit } = this.#options;
		const turns = waitForRateLimit || error.status === 429;
		return this.rate.enter(turns, options.signal, waitForRateLimit ? Infinity : until);
	}
	#sayAbsent(left) {
		if (this.#saidAbsent) return;
		this.#saidAbsent = true;
		const time = left === Infinity ? "" : ` for up to ${Math.round(left / 1e3)} s`;
		console.warn(`parley: no server at ${this.#options.baseUrl}; asking again${time}`);
	}
	async open(request, options, signal, attempt, headers) {
		const sent = await this.#send({
			request,
			headers,
			options,
			attempt,
			key: null,
			signal
		});
		if (sent.failure) throw sent.failure;
		const { response, text, facts } = sent;
		if (response.status === 200 && response.body) return response.body;
		const outcome = read(response, text, facts);
		throw outcome.ok ? /* @__PURE__ */ new TypeError("no stream") : outcome.error;
	}
	async #try(sending) {
		const sent = await this.#send(sending);
		if (sent.failure) return {
			ok: false,
			error: sent.failure
		};
		if (sent.bytes) return {
			ok: true,
			value: sent.bytes
		};
		const outcome = read(sent.response, sent.text, sent.facts);
		if (!outcome.ok || !sending.request.withEtag) return outcome;
		return {
			ok: true,
			value: [outcome.value, sent.response.headers.get("etag") ?? ""]
		};
	}
	async #send(sending) {
		const { request, options, key, attempt, body } = sending;
		const url = this.#options.baseUrl + request.path + queryText(request.query);
		const timeoutMs = options.timeoutMs ?? this.#options.timeoutMs;
		const begun = this.#around.now();
		const stop = new AbortController();
		const outer = sending.signal ?? options.signal;
		const abort = () => stop.abort(outer?.reason);
		outer?.addEventListener("abort", abort, { once: true });
		if (outer?.aborted) abort();
		let late = false;
		const expire = () => {
			late = true;
			stop.abort();
		};
		const timer = setTimeout(expire, Math.min(timeoutMs, 2 ** 31 - 1));
		let response = null;
		let text = "";
		let bytes = null;
		let cause;
		try {
			const { fetch } = this.#options;
			response = await fetch(url, {
				method: request.method,
				headers: {
					...this.#options.headers,
					...sending.headers,
					...this.#options.apiKey !== null && { authorization: `Bearer ${this.#options.apiKey}` },
					...body !== void 0 && { "content-type": request.bodyType ?? "application/json" },
					...key !== null && { "idempotency-key": key }
				},
				...body !== void 0 && { body },
				redirect: "manual",
				signal: stop.signal
			});
			if (sending.signal === void 0 || response.status !== 200) if (request.binary && response.ok) bytes = new Uint8Array(await response.arrayBuffer());
			else text = await response.text();
		} catch (error) {
			cause = error ?? "unknown";
		} finally {
			clearTimeout(timer);
			if (!sending.signal) outer?.removeEventListener("abort", abort);
			this.rate.leave(response?.headers ?? null);
		}
		this.#options.onAttempt?.({
			operation: request.id,
			method: request.method,
			url,
			attempt,
			status: response?.status ?? null,
			requestId: response?.headers.get("x-request-id") ?? null,
			replayed: response?.headers.get("idempotency-replayed") === "true",
			durationMs: this.#around.now() - begun
		});
		const ignored = response?.headers.get("parley-ignored");
		if (ignored) console.warn(`parley: ${request.id} ignored these members: ${ignored}`);
		const held = response?.headers.get("parley-held");
		if (held) console.warn(`parley: ${request.id} did not change these members: ${held}`);
		const facts = {
			attempts: attempt,
			idempotencyKey: key
		};
		if (response && cause === void 0) return {
			response,
			text,
			bytes,
			facts
		};
		options.signal?.throwIfAborted();
		const code = late ? "TIMED_OUT" : "CONNECTION_FAILED";
		const hint = late ? `no whole answer within ${timeoutMs} ms` : `no answer from ${url}`;
		return { failure: failed(code, {
			...facts,
			cause,
			hint
		}) };
	}
};
var isRaw = (request) => request.bodyType !== void 0;
function queryText(query) {
	const search = new URLSearchParams();
	for (const [name, value] of Object.entries(query ?? {})) if (value !== void 0 && value !== null) search.set(name, String(value));
	const text = search.toString();
	return text && `?${text}`;
}
var Parley = class extends Resources {
	#transport;
	constructor(options) {
		const transport = new Transport({
			baseUrl: readBaseUrl(options.baseUrl),
			apiKey: readKey(options.apiKey),
			timeoutMs: options.timeoutMs ?? 3e4,
			giveUpAfterMs: options.giveUpAfterMs,
			maxRetries: options.maxRetries,
			maxWaitMs: options.maxWaitMs ?? 6e4,
			waitForRateLimit: options.waitForRateLimit ?? false,
			headers: options.headers ?? {},
			fetch: options.fetch ?? ((...request) => globalThis.fetch(...request)),
			onAttempt: options.onAttempt
		}, world);
		super({
			call: (...call) => transport.call(...call),
			pieces: (...call) => readPieces(transport, ...call),
			stream: (request, wanted) => readStream(transport, request, wanted)
		});
		this.#transport = transport;
	}
	get rateLimit() {
		return this.#transport.rate.current;
	}
};
function readBaseUrl(text) {
	if (!text?.trim()) throw new TypeError("baseUrl is missing or empty: is the variable set that holds it?");
	let url;
	try {
		url = new URL(text);
	} catch {
		throw new TypeError("baseUrl must be an address as https://parley.example.com/api");
	}
	if (!/^https?:$/.test(url.protocol) || url.search || url.hash || url.username) throw new TypeError("baseUrl must be http or https, without a query and without credentials");
	return url.href.replace(/\/+$/, "");
}
function readKey(key) {
	const text = typeof key === "string" ? key.trim() : "";
	if (text === "") throw new TypeError("apiKey is missing or empty: is the variable set that holds it?");
	if (!/^[!-9;-~]+:[!-~]+$/.test(text)) throw new TypeError("apiKey must be PUBLIC:SECRET, both halves of an API key");
	return text;
}
var TURN_MS = 6e4;
async function answerBotTurn(baseUrl, token, answer, options = {}) {
	await sendAnswer(new Transport({
		baseUrl: readBaseUrl(baseUrl),
		apiKey: null,
		timeoutMs: options.timeoutMs ?? 1e4,
		giveUpAfterMs: TURN_MS,
		maxRetries: void 0,
		maxWaitMs: TURN_MS,
		waitForRateLimit: false,
		headers: {},
		fetch: options.fetch ?? ((...request) => globalThis.fetch(...request)),
		onAttempt: void 0
	}, world), token, answer, options);
}
async function sendAnswer(transport, token, answer, { signal } = {}) {
	const request = {
		id: "answerBotTurn",
		method: "POST",
		path: `/v1/bot-turns/${segment("token", token)}`,
		body: answer,
		repeatable: true
	};
	await transport.call(request, { signal });
}
var WebhookError = class extends Error {
	name = "WebhookError";
	code;
	constructor(code, why) {
		super(`${code} (${why})`);
		this.code = code;
	}
};
async function verifyWebhook(rawBody, headers, secret, options = {}) {
	return readEvent(await prove(rawBody, headers, secret, options));
}
async function verifyBotTurn(rawBody, headers, secret, options = {}) {
	const turn = parse(await prove(rawBody, headers, secret, options));
	if (turn?.type === "bot.turn" && Array.isArray(turn.messages)) return turn;
	throw new WebhookError("MALFORMED_BODY", "signed, yet no turn of a bot");
}
async function prove(rawBody, headers, secret, options) {
	const secrets = typeof secret === "string" ? [secret] : secret ?? [];
	if (secrets.length === 0 || secrets.some((one) => typeof one !== "string" || one === "")) throw new TypeError("secret must be the endpoint's secret: is the variable set that holds it?");
	const body = bytesOf(rawBody);
	const claim = serviceClaim(headers) ?? standardClaim(headers);
	if (!claim) throw new WebhookError("NO_SIGNATURE", "neither X-Service-Signature nor webhook-id, webhook-timestamp and webhook-signature are here");
	const { subtle } = await webCrypto();
	const signed = join(bytesOf(claim.signed), body);
	let proven = false;
	for (const one of secrets) {
		const key = await subtle.importKey("raw", claim.keyOf(one), {
			name: "HMAC",
			hash: "SHA-256"
		}, false, ["verify"]);
		for (const signature of claim.signatures) if (await subtle.verify("HMAC", key, signature, signed)) proven = true;
	}
	if (!proven) throw new WebhookError("WRONG_SIGNATURE", "not signed with this secret over these bytes");
	const now = (options.now ?? /* @__PURE__ */ new Date()).getTime() / 1e3;
	if (!(Math.abs(now - Number(claim.time)) <= (options.toleranceSeconds ?? 300))) throw new WebhookError("STALE_SIGNATURE", `signed at ${claim.time}, it is ${Math.floor(now)}`);
	return body;
}
var SERVICE_HEADER = "x-service-signature";
function serviceClaim(headers) {
	const header = headerOf(headers, SERVICE_HEADER);
	if (header === null) return null;
	const parts = header.split(",").map((part) => part.trim().split("="));
	const times = parts.filter(([name]) => name === "t").map(([, value = ""]) => value);
	const signatures = parts.filter(([name]) => name === "v1").map(([, value = ""]) => hexBytes(value));
	const [time = ""] = times;
	const readable = signatures.filter((one) => one !== null);
	if (times.length !== 1 || !/^\d{1,12}$/.test(time) || readable.length === 0) throw new WebhookError("MALFORMED_SIGNATURE", "X-Service-Signature is not t=…,v1=…");
	return {
		time,
		signed: `${time}.`,
		signatures: readable,
		keyOf: bytesOf
	};
}
function standardClaim(headers) {
	const header = headerOf(headers, "webhook-signature");
	const id = headerOf(headers, "webhook-id");
	const time = headerOf(headers, "webhook-timestamp");
	if (header === null || id === null || time === null) return null;
	const signatures = header.split(" ").filter((one) => one.startsWith("v1,")).map((one) => base64Bytes(one.slice(3))).filter((one) => one !== null);
	if (!/^\d{1,12}$/.test(time) || signatures.length === 0) throw new WebhookError("MALFORMED_SIGNATURE", "the webhook-* headers are not Standard Webhooks");
	return {
		time,
		signed: `${id}.${time}.`,
		signatures,
		keyOf(secret) {
			const key = base64Bytes(secret.replace(/^whsec_/, ""));
			if (!key?.length) throw new TypeError("secret must be whsec_ and base64");
			return key;
		}
	};
}
function headerOf(headers, name) {
	if (headers === null || headers === void 0) return null;
	if (typeof headers === "string" || Array.isArray(headers)) return name === SERVICE_HEADER ? String(headers) : null;
	if (isHeaders(headers)) return headers.get(name);
	for (const [key, value] of Object.entries(headers)) if (key.toLowerCase() === name && value !== void 0) return typeof value === "string" ? value : value.join(",");
	return null;
}
function isHeaders(headers) {
	return "get" in headers && typeof headers.get === "function";
}
function readEvent(body) {
	const event = parse(body);
	if (typeof event?.type === "string" && typeof event.data === "object" && event.data !== null) return event;
	throw new WebhookError("MALFORMED_BODY", "signed, yet no event");
}
function parse(body) {
	try {
		return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
	} catch {
		return null;
	}
}
function bytesOf(value) {
	if (typeof value === "string") return new TextEncoder().encode(value);
	if (ArrayBuffer.isView(value)) return new Uint8Array(value);
	if (Object.prototype.toString.call(value) === "[object ArrayBuffer]") return new Uint8Array(value);
	throw new TypeError("rawBody must be the body as it was received: a string or bytes, not parsed JSON");
}
function join(first, second) {
	const all = new Uint8Array(first.length + second.length);
	all.set(first);
	all.set(second, first.length);
	return all;
}
function hexBytes(text) {
	if (!/^(?:[0-9a-f]{2})+$/i.test(text)) return null;
	return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}
function base64Bytes(text) {
	try {
		return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
	} catch {
		return null;
	}
}
export { Parley, ParleyError, WebhookError, answerBotTurn, verifyBotTurn, verifyWebhook };
