<?php

declare(strict_types=1);

namespace Parley\Internal;

final class TimedOut extends \RuntimeException
{
}
