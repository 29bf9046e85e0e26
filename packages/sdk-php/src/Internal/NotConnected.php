<?php

declare(strict_types=1);

namespace Parley\Internal;

/** There was no connection: no byte of the request has left. */
final class NotConnected extends ConnectionFailed
{
}
