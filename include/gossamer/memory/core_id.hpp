#pragma once
#include "gossamer/message/core_id.hpp"
