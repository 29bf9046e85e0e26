<?php

// Made from apps/server/openapi.json by `npm run sdk`. Do not edit.

declare(strict_types=1);

namespace Parley;

/** Every part of the API. */
abstract class Resources
{
    public readonly Resources\Contacts $contacts;
    public readonly Resources\Segments $segments;
    public readonly Resources\Messages $messages;
    public readonly Resources\Otp $otp;
    public readonly Resources\Templates $templates;
    public readonly Resources\Broadcasts $broadcasts;
    public readonly Resources\Usage $usage;
    public readonly Resources\Conversations $conversations;
    public readonly Resources\Events $events;
    public readonly Resources\Labels $labels;
    public readonly Resources\Test $test;
    public readonly Resources\TemplateMessages $templateMessages;
    public readonly Resources\Notes $notes;
    public readonly Resources\Media $media;
    public readonly Resources\SavedReplies $savedReplies;
    public readonly Resources\Members $members;
    public readonly Resources\Me $me;
    public readonly Resources\Erasures $erasures;
    public readonly Resources\ContactJobs $contactJobs;
    public readonly Resources\ContactAttributes $contactAttributes;
    public readonly Resources\BroadcastEstimates $broadcastEstimates;
    public readonly Resources\BroadcastPreviews $broadcastPreviews;
    public readonly Resources\WebhookEndpoints $webhookEndpoints;
    public readonly Resources\Imports $imports;
    public readonly Resources\Exports $exports;
    public readonly Resources\Limits $limits;
    public readonly Resources\Audit $audit;
    public readonly Resources\Channels $channels;
    public readonly Resources\ChannelTypes $channelTypes;
    public readonly Resources\Retention $retention;
    public readonly Resources\Knowledge $knowledge;
    public readonly Resources\Bots $bots;

    public function __construct(Internal\Caller $caller)
    {
        $this->contacts = new Resources\Contacts($caller);
        $this->segments = new Resources\Segments($caller);
        $this->messages = new Resources\Messages($caller);
        $this->otp = new Resources\Otp($caller);
        $this->templates = new Resources\Templates($caller);
        $this->broadcasts = new Resources\Broadcasts($caller);
        $this->usage = new Resources\Usage($caller);
        $this->conversations = new Resources\Conversations($caller);
        $this->events = new Resources\Events($caller);
        $this->labels = new Resources\Labels($caller);
        $this->test = new Resources\Test($caller);
        $this->templateMessages = new Resources\TemplateMessages($caller);
        $this->notes = new Resources\Notes($caller);
        $this->media = new Resources\Media($caller);
        $this->savedReplies = new Resources\SavedReplies($caller);
        $this->members = new Resources\Members($caller);
        $this->me = new Resources\Me($caller);
        $this->erasures = new Resources\Erasures($caller);
        $this->contactJobs = new Resources\ContactJobs($caller);
        $this->contactAttributes = new Resources\ContactAttributes($caller);
        $this->broadcastEstimates = new Resources\BroadcastEstimates($caller);
        $this->broadcastPreviews = new Resources\BroadcastPreviews($caller);
        $this->webhookEndpoints = new Resources\WebhookEndpoints($caller);
        $this->imports = new Resources\Imports($caller);
        $this->exports = new Resources\Exports($caller);
        $this->limits = new Resources\Limits($caller);
        $this->audit = new Resources\Audit($caller);
        $this->channels = new Resources\Channels($caller);
        $this->channelTypes = new Resources\ChannelTypes($caller);
        $this->retention = new Resources\Retention($caller);
        $this->knowledge = new Resources\Knowledge($caller);
        $this->bots = new Resources\Bots($caller);
    }
}
